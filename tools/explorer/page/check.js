// The check: what is wrong in a PDN file, where, and the file after its repair.

import { get, post } from './api.js';
import { miniature } from './board.js';
import { announce, download, failure, h, number, unbroken } from './dom.js';
import { t } from './i18n.js';

export const checkText = (content) => post('check', content);

// Lists findings with the line and its marked part, and with the board where a move cannot be played.
export function findingsList(answer, text) {
  const { diagnostics, summary } = answer;
  const lines = text.split(/\r\n|\r|\n/);
  const box = h('div', { class: 'findings' }, h('p', { class: diagnostics.length ? 'count' : 'notice good', role: 'status' },
    diagnostics.length ? t('findings', { findings: number(diagnostics.length), games: number(summary.games) }) : t('noFindings', { games: number(summary.games) })));
  for (const finding of diagnostics) {
    const source = lines[finding.line - 1] ?? '';
    const start = finding.column - 1;
    const end = Math.min(source.length, start + Math.max(1, finding.span));
    const from = Math.max(0, start - 60);
    const item = h('article', { class: `finding ${finding.severity}` },
      h('h3', {}, h('span', { class: 'code' }, finding.code), ' ', finding.message),
      h('p', { class: 'muted' }, t('place', { line: number(finding.line), column: number(finding.column), record: number(finding.record) })),
      h('pre', {}, from ? '…' : '', unbroken(source.slice(from, start)), h('mark', {}, unbroken(source.slice(start, end) || ' ')), unbroken(source.slice(end, end + 60)), source.length > end + 60 ? '…' : ''));
    if (finding.fen) {
      const board = h('div', { class: 'finding-board' });
      item.append(h('div', { class: 'explained' }, board, finding.legal?.length ? h('p', {}, t('legalMoves'), ' ', unbroken(finding.legal.slice(0, 20).join(', '))) : null));
      shape(finding.variant).then((rows) => rows && board.append(miniature(rows, finding.fen, finding.fen)));
    }
    box.append(item);
  }
  if (summary.not_listed) box.append(h('p', { class: 'muted' }, t('notListed', { findings: number(summary.not_listed) })));
  return box;
}

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
      const answer = await checkText(blob);
      const text = await blob.text();
      const parts = [h('h2', {}, name)];
      if (answer.fixed) {
        const fixedName = name.replace(/(\.[^.]*)?$/, '-repaired$1');
        parts.push(h('p', { class: 'notice good' }, t('repaired', { repairs: number(answer.repairs) }), ' ',
          h('button', { type: 'button', class: 'primary', onclick: () => download(fixedName, answer.fixed) }, t('saveRepaired'))));
      }
      this.result.replaceChildren(...parts, findingsList(answer, text));
      announce(t('findings', { findings: number(answer.diagnostics.length), games: number(answer.summary.games) }));
    } catch (error) {
      this.result.replaceChildren(failure(error));
    }
  }

  update() {}
  key() {
    return false;
  }
  leave() {}
}
