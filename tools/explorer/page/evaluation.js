// Evaluations of a game: as text next to the moves, and as a graph on which a ply can be chosen.

import { h, s } from './dom.js';
import { t } from './i18n.js';

const WIDTH = 300;
const HEIGHT = 60;

// An evaluation in men with its sign, such as +0.35.
export function evaluationText(hundredths) {
  const men = (Math.abs(hundredths) / 100).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 2 });
  return (hundredths > 0 ? '+' : hundredths < 0 ? '−' : '') + men;
}

// The graph of the main line. It is a slider: the keys of the game move its handle, and a click chooses a ply.
export class EvaluationGraph {
  constructor(nodes, onchoose) {
    this.nodes = nodes;
    this.plies = nodes.length - 1;
    const known = nodes.filter((node) => node.eval_cp !== undefined);
    // At least one man each way, and at most ten: a won game would flatten all others.
    const most = Math.min(1000, Math.max(100, ...known.map((node) => Math.abs(node.eval_cp))));
    const x = (ply) => (WIDTH * ply) / Math.max(1, this.plies);
    const y = (value) => (HEIGHT / 2) * (1 - Math.max(-1, Math.min(1, value / most)));
    const at = (node) => `${x(node.ply).toFixed(1)} ${y(node.eval_cp).toFixed(1)}`;
    // The line goes on if one side alone is evaluated; where more is missing, it is interrupted.
    const line = known.map((node, place) => (place && known[place - 1].ply >= node.ply - 2 ? 'L' : 'M') + at(node));
    this.x = x;
    this.marker = s('line', { y1: 0, y2: HEIGHT, class: 'marker' });
    this.value = h('output', { 'aria-hidden': 'true' });
    this.slider = h('div', { class: 'evaluation', role: 'slider', tabindex: '0', 'aria-label': t('evaluation'), 'aria-valuemin': '0', 'aria-valuemax': String(this.plies),
      onclick: (event) => {
        const box = this.slider.getBoundingClientRect();
        const at = ((event.clientX - box.left) / box.width) * (WIDTH + 8) - 4;
        onchoose(Math.max(0, Math.min(this.plies, Math.round((this.plies * at) / WIDTH))));
      } },
    s('svg', { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      s('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: 'zero' }), s('path', { d: line.join('') }), s('path', { d: known.map((node) => `M${at(node)}h0`).join('') }), this.marker));
    this.element = h('figure', { class: 'evaluations' }, this.slider,
      h('figcaption', { class: 'muted' }, t('evaluationHint', { most: evaluationText(most).slice(1) }), ' ', this.value));
  }

  // Moves the handle to a ply of the main line.
  show(ply) {
    const value = this.nodes[ply]?.eval_cp;
    const text = value === undefined ? t('notEvaluated') : evaluationText(value);
    this.marker.setAttribute('x1', this.x(ply));
    this.marker.setAttribute('x2', this.x(ply));
    this.slider.setAttribute('aria-valuenow', String(ply));
    this.slider.setAttribute('aria-valuetext', `${t('plyOf', { ply, plies: this.plies })}: ${text}`);
    this.value.textContent = text;
  }
}
