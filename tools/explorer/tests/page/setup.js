// Starts the server on a small archive, and pages that fail on any console error and any request to another origin.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ARCHIVE } from './archive.js';

const PROGRAM = process.env.PDN ?? '../../../../target/debug/pdn';
const browserPath = ['chromium-headless-shell', 'chromium'].map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()).find(Boolean);

export const SHOTS = process.env.SHOTS ?? 'shots';

export async function start() {
  if (!browserPath) throw new Error('no Chromium: `apt-get install chromium-headless-shell`');
  mkdirSync(SHOTS, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'pdn-page-'));
  writeFileSync(join(folder, 'club.pdn'), ARCHIVE);
  const index = spawnSync(PROGRAM, ['index', join(folder, 'club.pdn'), '-o', join(folder, 'club.idx'), '--positions'], { encoding: 'utf8' });
  if (index.status !== 0) throw new Error(index.stderr);
  const server = spawn(PROGRAM, ['serve', join(folder, 'club.idx'), '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await new Promise((resolve, reject) => {
    server.stdout.once('data', (text) => resolve(String(text).trim().replace(/\/$/, '')));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const browser = await chromium.launch({ executablePath: browserPath });

  // Opens an address and calls `story` with the page.
  async function visit(path, story, { width = 1280, height = 800, scheme = 'light', allow = [] } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: 'en-GB', acceptDownloads: true, hasTouch: width < 500 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const faults = [];
    const expected = (text) => allow.some((part) => text.includes(part));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !expected(message.text()) && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.stack));
    page.on('request', (request) => !request.url().startsWith(origin) && !request.url().startsWith('blob:' + origin) && faults.push(`foreign request: ${request.url()}`));
    try {
      await page.goto(origin + path);
      await settled(page);
      await story(page);
      if (faults.length) throw new Error(faults.join('\n'));
    } finally {
      await context.close();
    }
  }

  async function stop() {
    await browser.close();
    server.removeAllListeners('exit');
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    const code = await ended;
    rmSync(folder, { recursive: true });
    return code;
  }

  return { origin, visit, stop };
}

// Waits until the page shows what its address asks for. The page is busy from the moment of a click, so after a click this waits
// for the click's effect.
export const settled = (page) => page.waitForSelector('html[data-ready]:not([data-busy])');

// Text of the line of moves, without its numbers.
export async function line(page) {
  await settled(page);
  return page.locator('.line .move').allTextContents();
}

// What a blind reader hears of a square.
export async function label(page, name) {
  await settled(page);
  return square(page, name).getAttribute('aria-label');
}
export const square = (page, name) => page.locator(`[data-square="${name}"]`);
export const waitCount = (page, text) => page.locator('.count', { hasText: typeof text === 'string' ? new RegExp(`^${text}$`) : text }).first().waitFor();
