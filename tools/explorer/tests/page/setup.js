// Starts the server on a small archive, and pages that fail on any console error and any request to another origin.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { ARCHIVE } from './archive.js';

const PROGRAM = process.env.PDN ?? '../../../../target/debug/pdn';
const browserPath = ['chromium-headless-shell', 'chromium'].map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()).find(Boolean);

export const SHOTS = process.env.SHOTS ?? 'shots';

// Runs the command, which has to succeed.
function pdn(...words) {
  const run = spawnSync(PROGRAM, words, { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
}

// Indexes archives, given by their names, in a temporary folder and returns that folder.
function makeIndex(archives = { club: ARCHIVE }) {
  const folder = mkdtempSync(join(tmpdir(), 'pdn-page-'));
  for (const [name, text] of Object.entries(archives)) {
    writeFileSync(join(folder, name + '.pdn'), text);
    pdn('index', join(folder, name + '.pdn'), '-o', join(folder, name + '.idx'), '--positions');
  }
  return folder;
}

// Starts a program and returns it with the first text that it prints.
async function startProgram(program, words) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const text = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  return { child, text };
}

// Ends a program and returns its exit code.
async function end(child) {
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}

function launch() {
  if (!browserPath) throw new Error('no Chromium: `apt-get install chromium-headless-shell`');
  mkdirSync(SHOTS, { recursive: true });
  return chromium.launch({ executablePath: browserPath });
}

// Returns a function that opens an address and calls `story` with the page.
const visitor = (browser, origin) => async (path, story, { width = 1280, height = 800, scheme = 'light', allow = [] } = {}) => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: 'en-GB', acceptDownloads: true, hasTouch: width < 500 });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults = [];
  const expected = (text) => allow.some((part) => text.includes(part));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !expected(message.text()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('request', (request) => !request.url().startsWith(origin) && !request.url().startsWith('blob:' + new URL(origin).origin) && faults.push(`foreign request: ${request.url()}`));
  try {
    await page.goto(origin + path);
    await settled(page);
    await story(page);
    if (faults.length) throw new Error(faults.join('\n'));
  } finally {
    // An answer that a test changes may be on its way still.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
};

// Serves archives by their names. `endings` has, for a variant, the greatest number of pieces of the endings that are proved for it first.
export async function start(archives = { club: ARCHIVE }, endings = {}) {
  const browser = await launch();
  const folder = makeIndex(archives);
  const indexes = Object.keys(archives).map((name) => join(folder, name + '.idx'));
  const tables = join(folder, 'endings');
  for (const [variant, most] of Object.entries(endings)) pdn('endgame', 'build', '--variant', variant, '--pieces', String(most), '-o', tables);
  const { child, text } = await startProgram(PROGRAM, ['serve', ...indexes, '--addr', '127.0.0.1:0', ...(Object.keys(endings).length ? ['--tables', tables] : [])]);
  const origin = text.replace(/\/$/, '');

  async function stop() {
    await browser.close();
    const code = await end(child);
    rmSync(folder, { recursive: true });
    return code;
  }

  return { browser, folder, origin, visit: visitor(browser, origin), stop };
}

// A check of the accessibility of a page by all rules.
export const allRules = (page) => new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']);

// Waits until the page shows what its address asks for. The page is busy from the moment of a click, so after a click this waits
// for the click's effect.
export const settled = (page) => page.waitForSelector('html[data-ready]:not([data-busy])');

// Text of the line of moves, without its numbers.
export async function line(page) {
  await settled(page);
  return page.locator('.line .move').allTextContents();
}

// Returns the accessible name of a square, which a screen reader speaks.
export async function label(page, name) {
  await settled(page);
  return square(page, name).getAttribute('aria-label');
}
// Returns the text that some work puts on the clipboard. Each look is awaited: `waitForFunction` takes any promise for an answer.
export async function copiedBy(page, work) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await work();
  for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(20)) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text) return text;
  }
  throw new Error('nothing is copied');
}

export const square = (page, name) => page.locator(`[data-square="${name}"]`);
export const waitCount = (page, text) => page.locator('.count', { hasText: typeof text === 'string' ? new RegExp(`^${text}$`) : text }).first().waitFor();
