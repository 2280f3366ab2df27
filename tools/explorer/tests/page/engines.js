// Drives the engines that Playwright does not know as they are installed: Firefox by WebDriver BiDi, WebKit by WebDriver.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

const found = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Returns the first value of `look` that is not empty.
export async function eventually(look, what) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    const value = await look();
    if (value) return value;
  }
  throw new Error(`${what} within a minute`);
}

// Returns a TCP port that nobody uses.
const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

const called = (work, value) => `(${work})(${JSON.stringify(value ?? null)})`;

async function firefox(program) {
  const profile = mkdtempSync(join(tmpdir(), 'pdn-firefox-'));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], { stdio: 'ignore' });
  const settings = join(profile, 'WebDriverBiDiServer.json');
  const { ws_host: host, ws_port: port } = await eventually(() => existsSync(settings) && JSON.parse(readFileSync(settings, 'utf8') || 'null'), 'Firefox listens');
  const socket = new WebSocket(`ws://${host}:${port}/session`);
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  const waiting = new Map();
  const errors = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'event') {
      if (['error', 'warn'].includes(message.params.level)) errors.push(message.params.text);
      return;
    }
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'success') resolve(message.result);
    else reject(new Error(message.message));
  };
  let id = 0;
  const send = (method, params) => new Promise((resolve, reject) => {
    waiting.set(++id, { resolve, reject });
    socket.send(JSON.stringify({ id, method, params }));
  });
  await send('session.new', { capabilities: {} });
  const { contexts: [{ context }] } = await send('browsingContext.getTree', {});
  await send('session.subscribe', { events: ['log.entryAdded'] });

  async function evaluate(work, value) {
    const answer = await send('script.callFunction', { functionDeclaration: `() => JSON.stringify(${called(work, value)})`, awaitPromise: true, target: { context } });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return answer.result.value === undefined ? undefined : JSON.parse(answer.result.value);
  }
  return {
    errors,
    evaluate,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    click: (x, y) => send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions: [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] }] }),
    picture: async () => Buffer.from((await send('browsingContext.captureScreenshot', { context })).data, 'base64'),
    async stop() {
      socket.close();
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

async function webkit(program) {
  const port = await freePort();
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '2600x1600x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = await new Promise((resolve) => screen.stdio[3].once('data', (text) => resolve(`:${String(text).trim()}`)));
  const child = spawn(program, ['--host=127.0.0.1', `--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' } });
  async function send(method, path, body) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }
  await eventually(() => send('GET', '/status').catch(() => null), 'the driver of WebKit answers');
  const libraries = '/usr/lib';
  const binary = readdirSync(libraries).flatMap((machine) => ['4.1', '4.0'].map((version) => join(libraries, machine, `webkit2gtk-${version}`, 'MiniBrowser'))).find(existsSync);
  const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } } });
  const session = `/session/${sessionId}`;
  const evaluate = async (work, value) => {
    const text = await send('POST', `${session}/execute/sync`, { script: `return JSON.stringify(${called(work, value)})`, args: [] });
    return text === null ? undefined : JSON.parse(text);
  };
  return {
    // WebDriver does not tell what the console says: only Firefox's errors are seen.
    errors: [],
    evaluate,
    open: (url) => send('POST', `${session}/url`, { url }),
    // The frame of the window is no part of the size.
    async resize(width, height) {
      for (let extra = [0, 0], round = 0; round < 2; round++) {
        await send('POST', `${session}/window/rect`, { width: width + extra[0], height: height + extra[1] });
        await sleep(150);
        const inner = await evaluate(() => [innerWidth, innerHeight]);
        extra = [width - inner[0], height - inner[1]];
      }
    },
    click: (x, y) => send('POST', `${session}/actions`, { actions: [{ type: 'pointer', id: 'mouse', actions: [{ type: 'pointerMove', x, y, duration: 0 }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] }] }),
    picture: async () => Buffer.from(await send('GET', `${session}/screenshot`), 'base64'),
    async stop() {
      await send('DELETE', session);
      for (const program of [child, screen]) {
        program.kill();
        await new Promise((resolve) => program.once('exit', resolve));
      }
    },
  };
}

const ENGINES = { Firefox: [firefox, ['firefox-esr', 'firefox']], WebKit: [webkit, ['WebKitWebDriver']] };

// The engines by name, with a function that starts each, or nothing where it is not installed.
export const engines = Object.entries(ENGINES).map(([name, [run, programs]]) => {
  const program = programs.find(found);
  return { name, start: program && (name !== 'WebKit' || found('Xvfb')) ? () => run(program) : undefined };
});
