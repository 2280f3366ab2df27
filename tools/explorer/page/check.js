// The check: what is wrong in a PDN file, where, and the file after its repair.

import { get, post, query } from './api.js';
import { miniature } from './board.js';
import { announce, download, english, failure, h, unbroken } from './dom.js';
import { t } from './i18n.js';
import { findingText, loadMessages } from './messages.js';

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
  for (const finding of diagnostics) {
    const { before, marked, after } = finding.excerpt;
    const { text, english: rest } = findingText(finding);
    const item = h('article', { class: `finding ${finding.severity}` },
      h('h3', {}, h('span', { class: 'code' }, finding.code), ' ', text),
      rest ? h('p', {}, english(rest)) : null,
      h('p', { class: 'muted' }, t('place', { line: finding.line, column: finding.column, record: finding.record })),
      h('pre', {}, unbroken(before), h('mark', {}, unbroken(marked || ' ')), unbroken(after)));
    if (finding.fen) {
      const board = h('div', { class: 'finding-board' });
      item.append(h('div', { class: 'explained' }, board, finding.legal?.length ? h('p', {}, t('legalMoves'), ' ', unbroken(finding.legal.slice(0, 20).join(', '))) : null));
      shape(finding.variant).then((rows) => rows && board.append(miniature(rows, finding.fen, finding.fen)));
    }
    box.append(item);
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

export class CheckView {
  constructor(index) {
    useIndex(index.name);
    this.result = h('div', {});
    this.file = h('input', { type: 'file', id: 'file', accept: '.pdn,.pgn,.txt,.gz,.zip,.bz2,.zst', onchange: () => this.file.files[0] && this.check(this.file.files[0], this.file.files[0].name) });
    this.text = h('textarea', { id: 'text', rows: 6, spellcheck: 'false', placeholder: '[White "..."]\n1. 32-28 19-23' });
    const drop = h('div', { class: 'drop' }, h('p', {}, t('dropHere')), h('p', {}, h('label', { class: 'button', for: 'file' }, t('chooseFile')), this.file));
    for (const name of ['dragenter', 'dragover']) {
      drop.addEventListener(name, (event) => {
        event.preventDefault();
        drop.classList.add('over');
      });
    }
    drop.addEventListener('dragleave', () => drop.classList.remove('over'));
    drop.addEventListener('drop', (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      const [file] = event.dataTransfer.files;
      if (file) this.check(file, file.name);
    });
    this.element = h('div', { class: 'page-wide' }, h('h1', {}, t('checkTitle')), h('p', { class: 'muted' }, t('checkHint')), drop,
      h('form', { class: 'paste', onsubmit: (event) => {
        event.preventDefault();
        this.check(new Blob([this.text.value]), 'text.pdn');
      } }, h('label', { for: 'text' }, t('pasteHere')), this.text, h('button', { class: 'primary' }, t('check'))), this.result);
  }

  async check(blob, name) {
    this.result.replaceChildren(h('p', { role: 'status' }, t('checking')));
    try {
      this.show(await checkText(blob), blob, name);
    } catch (error) {
      this.result.replaceChildren(failure(error));
    }
  }

  show(answer, blob, name) {
    const parts = [h('h2', {}, name)];
    if (answer.fixed) {
      parts.push(h('div', { class: 'notice good' }, h('p', {}, t(answer.offered.some(({ chosen }) => chosen) ? 'repairedChosen' : 'repaired', answer), ' ',
        h('button', { type: 'button', class: 'primary', onclick: () => download(repairedName(name), answer.fixed) }, t('saveRepaired'))),
      answer.encoding === 'utf-8' ? null : h('p', {}, t('converted', answer)),
      h('details', { open: this.showsChanges, ontoggle: (event) => (this.showsChanges = event.target.open) }, h('summary', {}, t('showChanges')), changes(answer.diff), answer.diff_is_cut ? h('p', {}, t('moreChanges')) : null)));
    }
    if (answer.offered.length) parts.push(this.offers(answer.offered, blob, name));
    this.result.replaceChildren(...parts, findingsList(answer));
    announce(t('findings', { findings: answer.diagnostics.length, games: answer.summary.games }));
  }

  // The repairs that change the meaning of a game, one by one: each choice is answered with the file after it.
  offers(offered, blob, name) {
    const choose = async (event) => {
      const chosen = [...box.querySelectorAll('input:checked')].map((input) => input.value);
      const { value } = event.target;
      try {
        this.show(await checkText(blob, chosen), blob, name);
        this.result.querySelector(`input[value="${CSS.escape(value)}"]`)?.focus();
      } catch (error) {
        box.append(failure(error));
      }
    };
    const box = h('section', { class: 'card' }, h('h3', {}, t('offered')), h('p', { class: 'muted' }, t('offeredHint')),
      offered.map((repair) => h('p', {}, h('label', {}, h('input', { type: 'checkbox', value: repair.id, checked: repair.chosen, onchange: choose }), ' ',
        h('span', { class: 'code' }, repair.code), ` ${t('gameAt', repair)}: `,
        repair.changes.map((change, at) => [at ? ', ' : '', h('del', {}, change.old.trim() || t('removed')), ' → ', h('ins', {}, change.new.trim() || t('removed'))])))));
    return box;
  }

  update() {}
  key() {
    return false;
  }
  leave() {}
}
