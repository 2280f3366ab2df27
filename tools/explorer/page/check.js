// The check: what is wrong in a PDN file, where, and the file after its repair.

import { get, post, query } from './api.js';
import { miniature } from './board.js';
import { announce, download, english, failure, h, redraw, unbroken } from './dom.js';
import { store, stored, t } from './i18n.js';
import { findingText, loadMessages } from './messages.js';

// So many findings of one kind are shown at once.
const FEW = 4;

// Checks a text. `repairs` are some of those that change the meaning, which the answer before offered.
export async function checkText(content, repairs = []) {
  const [answer] = await Promise.all([post('check' + query({ repairs: repairs.join(',') }), content), loadMessages()]);
  return answer;
}

// Lists findings with the line and its marked part, and with the board where a move cannot be played.
export function findingsList({ diagnostics, repairs, summary }) {
  const { games } = summary;
  const box = h('div', { class: 'findings' }, h('p', { class: diagnostics.length ? 'count' : 'notice good', role: 'status' },
    diagnostics.length ? t('findings', { findings: diagnostics.length, games }) : t(repairs ? 'onlyForm' : 'noFindings', { games })));
  const show = (finding) => {
    const { before, marked, after } = finding.excerpt;
    const { text, english: rest } = findingText(finding);
    const item = h('article', { class: `finding ${finding.severity}` },
      h('h3', {}, h('span', { class: 'code' }, finding.code), ' ', text),
      rest ? h('p', {}, english(rest)) : null,
      h('p', { class: 'muted' }, t('place', { line: finding.line, column: finding.column, record: finding.record })),
      h('pre', {}, unbroken(before), h('mark', {}, unbroken(marked || ' ')), unbroken(after)));
    if (finding.fen) {
      const board = h('div', { key: false, class: 'finding-board' });
      item.append(h('div', { class: 'explained' }, board, finding.legal?.length ? h('p', {}, t('legalMoves'), ' ', unbroken(finding.legal.slice(0, 20).join(', '))) : null));
      shape(finding.variant).then((rows) => rows && board.append(miniature(rows, finding.fen, finding.fen)));
    }
    return item;
  };
  // After the first of one kind, which explains it, the others wait behind their number.
  const kinds = new Map();
  for (const finding of diagnostics) {
    if (!kinds.has(finding.code)) kinds.set(finding.code, []);
    kinds.get(finding.code).push(finding);
  }
  for (const [first, ...others] of kinds.values()) {
    box.append(show(first));
    if (others.length < FEW) box.append(...others.map(show));
    else box.append(h('details', { class: 'more-findings' }, h('summary', {}, t('moreOfKind', { findings: others.length, code: first.code })), others.map(show)));
  }
  if (summary.not_listed) box.append(h('p', { class: 'muted' }, t('notListed', { findings: summary.not_listed })));
  return box;
}

// The changed lines of a unified diff, without its first two lines, which name the file.
const changes = (diff) => h('pre', { class: 'diff', tabindex: '0', 'aria-label': t('showChanges') }, diff.split('\n').slice(2).map((line) => {
  const tag = { '-': 'del', '+': 'ins' }[line[0]] ?? 'span';
  return [h(tag, { class: line.startsWith('@@') ? 'muted' : undefined }, line), '\n'];
}));

// The repaired text of a packed file is not packed.
const repairedName = (name) => name.replace(/(\.(pdn|pgn|txt|fen))?(\.(gz|bz2|zst|zip))?$/i, '-repaired.pdn');

const shapes = new Map();
let anyIndex;
export const useIndex = (name) => (anyIndex = name);
async function shape(variant) {
  if (!shapes.has(variant)) shapes.set(variant, get(`${anyIndex}/position`, { variant }).then((position) => position.board, () => null));
  return shapes.get(variant);
}

// What was checked last, which stays until the page is left.
const result = h('div', {});

export class CheckView {
  constructor(index) {
    useIndex(index.name);
    this.file = h('input', { type: 'file', id: 'file', multiple: true, accept: '.pdn,.pgn,.txt,.gz,.zip,.bz2,.zst', onchange: () => this.check([...this.file.files]) });
    // A text that was pasted outlives a change of the language, which loads the page again.
    this.text = h('textarea', { id: 'text', rows: 6, spellcheck: 'false', placeholder: '[White "..."]\n1. 32-28 19-23', oninput: () => store('pasted', this.text.value, 'sessionStorage') });
    this.text.value = stored('pasted', 'sessionStorage') ?? '';
    const drop = h('div', { class: 'drop' }, h('p', {}, t('dropHere')), h('p', {}, h('label', { class: 'button', for: 'file' }, t('chooseFile')), this.file));
    for (const name of ['dragenter', 'dragover']) {
      drop.addEventListener(name, (event) => {
        event.preventDefault();
        drop.classList.add('over');
      });
    }
    // The page takes the files, wherever they are dropped.
    for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, t('checkTitle')), h('p', { class: 'muted' }, t('checkHint')), drop,
      h('form', { class: 'paste', onsubmit: (event) => {
        event.preventDefault();
        this.check([new File([this.text.value], 'text.pdn')]);
      } }, h('label', { for: 'text' }, t('pasteHere')), this.text, h('button', { class: 'primary' }, t('check'))), result);
  }

  // Checks files one after the other, each in a section of its own.
  async check(files) {
    result.replaceChildren();
    for (const file of files) {
      const box = h('section', { 'aria-label': file.name }, h('p', { role: 'status' }, t('checking')));
      result.append(box);
      try {
        this.show(await checkText(file), file, box);
      } catch (error) {
        redraw(box, h('h2', {}, file.name), failure(error));
      }
    }
  }

  show(answer, file, box) {
    const { name } = file;
    const parts = [h('h2', {}, name)];
    if (answer.fixed) {
      parts.push(h('div', { class: 'notice good' }, h('p', {}, t(answer.offered.some(({ chosen }) => chosen) ? 'repairedChosen' : 'repaired', answer), ' ',
        h('button', { type: 'button', class: 'primary', onclick: () => download(repairedName(name), answer.fixed) }, t('saveRepaired'))),
      answer.encoding === 'utf-8' ? null : h('p', {}, t('converted', answer)),
      h('details', { open: this.showsChanges, ontoggle: (event) => (this.showsChanges = event.target.open) }, h('summary', {}, t('showChanges')), changes(answer.diff), answer.diff_is_cut ? h('p', {}, t('moreChanges')) : null)));
    }
    if (answer.offered.length) parts.push(this.offers(answer.offered, file, box));
    redraw(box, parts, findingsList(answer));
    announce(t('findings', { findings: answer.diagnostics.length, games: answer.summary.games }));
  }

  // The repairs that change the meaning of a game, one by one: each choice is answered with the file after it.
  offers(offered, file, box) {
    const choose = async ({ target }) => {
      const list = target.closest('.card');
      const chosen = [...list.querySelectorAll('input:checked')].map((input) => input.value);
      try {
        this.show(await checkText(file, chosen), file, box);
      } catch (error) {
        list.append(failure(error));
      }
    };
    return h('section', { class: 'card' }, h('h3', {}, t('offered')), h('p', { class: 'muted' }, t('offeredHint')),
      offered.map((repair) => h('p', { key: repair.id }, h('label', {}, h('input', { type: 'checkbox', value: repair.id, checked: repair.chosen, onchange: choose }), ' ',
        h('span', { class: 'code' }, repair.code), ` ${t('gameAt', repair)}: `,
        repair.changes.map((change, at) => [at ? ', ' : '', h('del', {}, change.old.trim() || t('removed')), ' → ', h('ins', {}, change.new.trim() || t('removed'))])))));
  }

  update() {}
  key() {
    return false;
  }
  leave() {}
}
