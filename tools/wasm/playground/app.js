// The playground: a file is checked, repaired, replayed, searched and converted by this page alone.

import { ask } from './api.js';
import { Board } from './board.js';
import { CheckView, findingsList } from './check.js';
import { announce, download, failure, h, iconButton, number, redraw, unbroken } from './dom.js';
import { LANGUAGES, language, loadLanguage, stored, t } from './i18n.js';
import { causeText, loadMessages } from './messages.js';
import { own } from './texts.js';

// Bytes up to which repairs are looked for without being asked: it takes some seconds for each 10 MB.
const QUICK = 8 << 20;
// Games of the list that are read at a time.
const LISTED = 100;

const header = document.getElementById('header');
const main = document.getElementById('main');

// The file that is open, as a blob with its name and the number of its games.
let file = null;

// A failure in place of a part of the page, and the page busy until the work is done.
async function work(box, task) {
  document.documentElement.dataset.busy = 'true';
  try {
    await task();
  } catch (error) {
    box.replaceChildren(failure(error));
  } finally {
    delete document.documentElement.dataset.busy;
  }
}

// Shows how far a question about the whole file is.
function meter(total) {
  const bar = h('progress', { max: String(total), value: '0', 'aria-label': t('checking') });
  const text = h('p', { class: 'muted' });
  const megabytes = (bytes) => number(Math.round(bytes / 1e5) / 10);
  return {
    element: h('div', {}, bar, text),
    progress(done) {
      bar.value = done;
      text.textContent = own('reading', { done: megabytes(done), total: megabytes(total) });
    },
  };
}

class PlaygroundCheck extends CheckView {
  constructor() {
    super({ name: '' });
    this.element.querySelector('h1').textContent = own('title');
    this.element.querySelector('.muted').textContent = own('nothingLeaves');
  }

  // Opens a file and checks it at once; the repairs of a long one are looked for on request.
  async check(blob, name) {
    await work(this.result, async () => {
      const { element, progress } = meter(blob.size);
      this.result.replaceChildren(element);
      const begun = performance.now();
      await ask('open', { blob });
      const [answer] = await Promise.all([ask('check', {}, progress), loadMessages()]);
      const seconds = (performance.now() - begun) / 1000;
      file = { name, blob, games: answer.summary.games };
      opened();
      const told = h('p', { class: 'muted', id: 'told' }, own('ready', { bytes: number(blob.size), seconds: number(Math.round(seconds * 10) / 10) }));
      if (blob.size <= QUICK) {
        this.show(await ask('review'), blob, name);
      } else {
        const review = h('button', { type: 'button', onclick: () => work(this.result, async () => this.show(await ask('review'), blob, name)) }, own('findRepairs'));
        this.result.replaceChildren(h('h2', {}, name), h('p', {}, review), findingsList(answer));
        announce(t('findings', { findings: answer.diagnostics.length, games: file.games }));
      }
      this.result.querySelector('h2').after(told);
    });
  }
}

class GamesView {
  constructor() {
    this.board = new Board();
    this.moves = h('ol', { class: 'play-moves', 'aria-label': t('line') });
    this.head = h('div', {});
    this.note = h('div', {});
    this.list = h('ul', { class: 'games-list' });
    this.more = h('button', { type: 'button', onclick: () => this.listMore() }, t('more'));
    const step = (name, label, to) => iconButton(name, t(label), () => this.go(to()));
    this.number = h('input', { id: 'record', type: 'number', min: '1', value: '1', inputmode: 'numeric' });
    const flip = iconButton('flip', t('flip'), () => this.turn());
    this.element = h('div', { class: 'two' },
      h('div', { class: 'board-side' }, this.board.element,
        h('div', { class: 'controls' }, step('first', 'toStart', () => 0), step('back', 'back', () => this.ply - 1), step('forward', 'forward', () => this.ply + 1), step('last', 'toEnd', () => Infinity), flip)),
      h('section', { class: 'panel' }, this.head, this.moves, this.note,
        h('form', { class: 'query', onsubmit: (event) => {
          event.preventDefault();
          this.open(Number(this.number.value));
        } }, h('label', { for: 'record' }, own('recordNumber')), this.number, h('button', {}, own('show'))),
        h('div', { class: 'games-scroll', tabindex: '0', role: 'region', 'aria-label': own('games') }, this.list, this.more)));
    this.element.addEventListener('keydown', (event) => {
      const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: Infinity }[event.key];
      if (to === undefined || event.target.closest('input, .grid, .games-scroll') || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.go(to);
    });
  }

  async begin(record = 1, ply = null) {
    if (this.of !== file) {
      Object.assign(this, { of: file, listed: 0, game: null });
      this.list.replaceChildren();
      await this.listMore();
    }
    if (ply !== null || !this.game) await this.open(record, ply);
  }

  async listMore() {
    const to = Math.min(this.listed + LISTED, file.games);
    const games = await ask('list', { from: this.listed + 1, to });
    this.listed = to;
    this.list.append(...games.map((game) => h('li', {}, h('button', { type: 'button', 'data-record': String(game.record), onclick: () => this.open(game.record) },
      h('span', {}, `${game.record}. ${game.white ?? '?'} – ${game.black ?? '?'}`), h('span', { class: 'score' }, game.result ?? '*'),
      h('span', { class: 'muted' }, [game.event, game.date_text].filter(Boolean).join(', '))))));
    this.more.hidden = this.listed >= file.games;
  }

  async open(record, ply = 0) {
    await work(this.note, async () => {
      if (!file.games) throw new Error(own('noGames'));
      const [game] = await Promise.all([ask('replay', { record: Math.min(Math.max(record || 1, 1), file.games) }), loadMessages()]);
      const { board } = await ask('position', { variant: game.variant });
      this.game = game;
      this.number.value = game.record;
      this.board.layout(board);
      this.head.replaceChildren(h('h1', {}, `${game.white ?? '?'} – ${game.black ?? '?'} `, h('span', { class: 'score' }, game.result ?? '*')),
        h('p', { class: 'muted' }, [t('variant_' + game.variant), game.event, game.date_text].filter(Boolean).join(', ')));
      this.buttons = game.moves.map((move, at) => h('button', { type: 'button', class: 'move', onclick: () => this.go(at + 1) }, move.text ?? move.written));
      this.moves.replaceChildren(...this.buttons.map((button, at) => h('li', {}, at % 2 ? null : h('span', { class: 'move-number' }, `${at / 2 + 1}. `), button)));
      const { stop, rest } = game;
      this.note.replaceChildren(stop ? h('p', { class: 'notice bad' }, t('stops', { move: stop.move, reason: causeText(stop), code: stop.code })) : h('p', { class: 'muted' }, own('wholeGame')),
        rest.length ? h('p', { class: 'muted' }, unbroken(own('rest', { moves: rest.join(' ') }))) : '');
      for (const button of this.list.querySelectorAll('button')) button.ariaCurrent = button.dataset.record === String(game.record) ? 'true' : null;
      this.go(ply ?? 0);
    });
  }

  go(ply) {
    if (!this.game) return;
    const { moves, start } = this.game;
    this.ply = Math.max(0, Math.min(ply, moves.length));
    const played = moves[this.ply - 1];
    this.board.show({ fen: played?.fen ?? start, last: played ? [played.from, played.to] : [], played });
    this.buttons.forEach((button, at) => button.toggleAttribute('aria-current', at + 1 === this.ply));
    this.buttons[this.ply - 1]?.scrollIntoView({ block: 'nearest' });
    announce(played ? `${played.text}, ${t('toMove_' + (played.turn === 'white' ? 'black' : 'white'))}` : t('toStart'));
  }

  turn() {
    this.board.layout(this.board.board, !this.board.flipped);
    this.go(this.ply);
  }
}

class SearchView {
  constructor(open) {
    this.result = h('div', {});
    const query = h('input', { id: 'query', spellcheck: 'false', autocapitalize: 'none', required: true });
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, own('search')), h('p', { class: 'muted' }, own('queryHint')),
      h('form', { class: 'query', onsubmit: (event) => {
        event.preventDefault();
        work(this.result, async () => {
          this.result.replaceChildren(h('p', { role: 'status' }, t('searching')));
          const { hits, games } = await ask('find', { query: query.value, limit: 200 });
          const rows = await Promise.all(hits.map(async (hit) => ({ ...hit, ...(await ask('list', { from: hit.record, to: hit.record }))[0] })));
          this.result.replaceChildren(h('p', { class: 'count', role: 'status' }, own('hits', { games })),
            h('ul', { class: 'games-list' }, rows.map((row) => h('li', {}, h('button', { type: 'button', onclick: () => open(row.record, row.ply) },
              h('span', {}, `${row.record}. ${row.white ?? '?'} – ${row.black ?? '?'}`), h('span', { class: 'score' }, row.result ?? '*'),
              h('span', { class: 'muted' }, own('atPly', { plies: row.ply })))))));
        });
      } }, h('label', { for: 'query' }, t('filter_query')), query, h('button', { class: 'primary' }, own('search'))), this.result);
  }

  begin() {}
}

const PROGRAMS = { lidraughts: 'Lidraughts', 'turbo-dambase': 'Turbo Dambase', checkerboard: 'CheckerBoard', dam: 'Dam', plain: 'plain' };

class ConvertView {
  constructor() {
    this.result = h('div', {});
    const program = h('select', { id: 'program' }, h('option', { value: '' }, own('canonical')), Object.entries(PROGRAMS).map(([value, name]) => h('option', { value }, name)));
    const check = (name) => h('label', { class: 'check' }, h('input', { type: 'checkbox', name }), own(name));
    const boxes = ['comments', 'variations', 'nags', 'alsoRepair'].map(check);
    const chosen = (name) => boxes.some((box) => box.firstChild.name === name && box.firstChild.checked);
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, own('convert')), h('form', { class: 'paste', onsubmit: (event) => {
      event.preventDefault();
      work(this.result, async () => {
        const { element, progress } = meter(file.blob.size);
        this.result.replaceChildren(element);
        const strip = ['comments', 'variations', 'nags'].filter(chosen);
        this.show(await ask('convert', { program: program.value || null, strip, fix: chosen('alsoRepair') }, progress));
      });
    } }, h('div', { class: 'field' }, h('label', { for: 'program' }, own('program')), program),
    h('fieldset', {}, h('legend', {}, own('leaveOut')), boxes.slice(0, 3)), boxes[3], h('button', { class: 'primary' }, own('doConvert'))), this.result);
  }

  show({ blob, start, is_cut, written, read, rejected_by }) {
    const name = file.name.replace(/(\.(pdn|pgn|txt|fen))?$/i, '-converted.pdn');
    this.result.replaceChildren(h('p', { class: 'count', role: 'status' }, own('written', { written, read })),
      ...Object.entries(rejected_by).map(([reason, games]) => h('p', { class: 'muted' }, own('notWritten', { games, reason }))),
      h('p', {}, h('button', { type: 'button', class: 'primary', onclick: () => download(name, blob) }, own('saveConverted'))),
      h('pre', { class: 'output card', tabindex: '0', role: 'region', 'aria-label': own('result') }, start), is_cut ? h('p', { class: 'muted' }, own('onlyStart')) : '');
  }

  begin() {}
}

const views = {};
let current = 'check';

async function show(name, ...values) {
  current = name;
  views[name] ??= { check: () => new PlaygroundCheck(), games: () => new GamesView(), search: () => new SearchView((record, ply) => show('games', record, ply)), convert: () => new ConvertView() }[name]();
  drawHeader();
  main.replaceChildren(views[name].element);
  document.title = `${own(name)} – ${own('title')}`;
  await views[name].begin?.(...values);
}

// A new file leaves nothing of the one before.
function opened() {
  for (const name of ['games', 'search', 'convert']) delete views[name];
  drawHeader();
}

function toggleTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem('theme', dataset.theme);
}

function drawHeader() {
  redraw(header, h('span', { class: 'brand' }, h('span', { class: 'mark', 'aria-hidden': 'true' }), h('span', {}, 'pdn')),
    h('nav', { 'aria-label': own('views') }, ['check', 'games', 'search', 'convert'].map((name) => h('button', { type: 'button', id: 'view-' + name, disabled: name !== 'check' && !file, 'aria-current': name === current ? 'page' : undefined, onclick: () => show(name) }, own(name)))),
    h('div', { class: 'tools' }, h('select', { 'aria-label': t('language'), id: 'language', onchange: (event) => {
      localStorage.setItem('language', event.target.value);
      location.reload();
    } }, Object.entries(LANGUAGES).map(([code, name]) => h('option', { value: code, selected: code === language, lang: code }, name))),
    iconButton('moon', t('theme'), toggleTheme)));
}

await loadLanguage();
const theme = stored('theme');
if (theme) document.documentElement.dataset.theme = theme;
document.getElementById('skip').textContent = t('skip');
await show('check');
document.documentElement.dataset.ready = 'true';
if ('serviceWorker' in navigator) navigator.serviceWorker.register('offline.js', { type: 'module' }).catch(() => {});
