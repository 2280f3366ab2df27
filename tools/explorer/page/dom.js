// Makes elements without markup in strings: text from an archive stays text.

export const svgNamespace = 'http' + '://www.w3.org/2000/svg';

// The attributes with which each element was made, so that a redraw changes only what differs.
const made = new WeakMap();

// Properties that visitors change as well.
const CHOSEN = ['checked', 'selected'];

const isShown = (child) => child !== null && child !== undefined && child !== false;

function set(element, name, value = undefined) {
  if (name === 'key') return;
  if (name.startsWith('on')) element[name] = value ?? null;
  else if (name === 'style') Object.assign(element.style, value);
  else if (!isShown(value) && typeof element[name] !== 'boolean') element.removeAttribute(name);
  else if (name === 'value' || (typeof value !== 'string' && name in element && !(element instanceof SVGElement))) element[name] = value ?? false;
  else element.setAttribute(name, value === true ? '' : value);
}

function fill(element, attributes, children) {
  made.set(element, attributes ?? {});
  for (const name in attributes) if (isShown(attributes[name])) set(element, name, attributes[name]);
  element.append(...children.flat(9).filter(isShown));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(svgNamespace, tag), attributes, children);

// Returns what matches an element with the one of the next redraw: the tag with its key, id or class, in this order. With the key `false` it
// matches no other: code that keeps it fills it later.
function nameOf(node) {
  const { key, id, class: kind } = made.get(node) ?? {};
  return key === false ? node : `${node.nodeName} ${key ?? id ?? kind}`;
}

// Gives a node the attributes, text and children of the one that was drawn in its place.
function become(node, next) {
  if (!(next instanceof Element)) {
    if (node.data !== next.data) node.data = next.data;
    return;
  }
  const [before, after] = [made.get(node), made.get(next)];
  for (const name in after) {
    if (before[name] !== after[name] || (CHOSEN.includes(name) && node[name] !== after[name])) set(node, name, after[name]);
  }
  for (const name in before) if (!(name in after)) set(node, name);
  made.set(node, after);
  // Most elements have a text alone.
  const [text, nextText] = [node.firstChild, next.firstChild];
  if (text instanceof Text && nextText instanceof Text && text === node.lastChild && nextText === next.lastChild) become(text, nextText);
  else if (text || nextText) fit(node, [...next.childNodes]);
}

// Gives a box these nodes as its children. A child that is there already with the same name stays, and becomes like the new one.
function fit(box, nodes) {
  const [drawn, there] = [new Set(nodes), new Map()];
  for (const node of box.childNodes) {
    if (drawn.has(node)) continue;
    const name = nameOf(node);
    if (there.has(name)) there.get(name).push(node);
    else there.set(name, [node]);
  }
  const all = nodes.map((next) => {
    const node = there.get(nameOf(next))?.shift();
    if (node) become(node, next);
    return node ?? next;
  });
  [...there.values()].flat().forEach((node) => node.remove());
  let place = box.firstChild;
  for (const node of all) {
    if (node === place) place = place.nextSibling;
    else box.insertBefore(node, place);
  }
}

// Draws the children of a box. What stays keeps its node, and so the focus, what is typed, and how far it is scrolled. A control that has the
// focus and can no longer be used gives it to the nearest one that can.
export function redraw(box, ...children) {
  /** @type {any} */
  const used = box.contains(document.activeElement) && document.activeElement;
  fit(box, children.flat(9).filter(isShown).map((child) => child instanceof Node ? child : new Text(child)));
  if (!used?.disabled) return;
  /** @type {HTMLElement[]} */
  const controls = [...used.parentNode.children];
  const at = controls.indexOf(used);
  [...controls.slice(0, at).reverse(), ...controls.slice(at)].find((control) => control.matches(':enabled'))?.focus({ preventScroll: true });
}

// Shows a value in a field. What is typed stays as long as the value does.
export function fillField(field, value = '') {
  if (field.defaultValue !== value) field.value = field.defaultValue = value;
}

// Says something to screen readers. Each message is a paragraph of its own, so that none is lost when two follow each other.
export function announce(text) {
  const region = document.getElementById('live');
  const message = h('p', {}, text);
  region.append(message);
  setTimeout(() => message.remove(), 5000);
}

// Takes back what was said to everybody.
export const quiet = () => (document.getElementById('toast').hidden = true);

// Says something to everybody, for some seconds.
let shownUntil;
export function notify(text) {
  announce(text);
  const box = document.getElementById('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(shownUntil);
  shownUntil = setTimeout(() => (box.hidden = true), 4000);
}

// A part of a page under a heading, and a table that scrolls sideways where it is too wide.
export const card = (title, ...children) => h('section', { class: 'card' }, h('h2', {}, title), children);
export const tableBox = (label, ...children) => h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': label }, children);

// Offers a text or a blob as a download.
export function download(name, content, type = 'text/plain') {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const ICONS = {
  first: 'M6 5v14M18 5l-7 7 7 7',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  last: 'M18 5v14M6 5l7 7-7 7',
  play: 'M12 3a9 9 0 1 0 .01 0zM10 8l6 4-6 4z',
  pause: 'M8 5v14M16 5v14',
  flip: 'M8 4v15m0 0-3-3m3 3 3-3M16 20V5m0 0-3 3m3-3 3 3',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4',
  looks: 'M4 7h9m4 0h3M13 5v4M4 17h3m4 0h9M11 15v4',
  close: 'M6 6l12 12M18 6 6 18',
  move: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
  save: 'M12 4v11m0 0-4-4m4 4 4-4M5 20h14',
  setup: 'M4 20l4-1L19 8l-3-3L5 16z',
  search: 'M10.5 4a6.5 6.5 0 1 0 .01 0zM15.5 15.5 21 21',
};

export function icon(name) {
  return s('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] }));
}

export function iconButton(name, label, onclick, more = {}) {
  return h('button', { type: 'button', class: ['back', 'forward'].includes(name) ? 'icon-button step' : 'icon-button', 'aria-label': label, title: label, onclick, ...more }, icon(name));
}

// Formats by their digits after the point, made once: making one takes longer than using it.
const formats = {};
const format = (value, name, options) => (formats[name] ??= new Intl.NumberFormat(document.documentElement.lang, options)).format(value);
export const number = (value) => format(value ?? 0, 'number');
// A share of one as percent, with at most so many digits after the point.
export const percent = (share, digits = 0) => format(share, digits, { style: 'percent', maximumFractionDigits: digits });

// What is known in English only.
export const english = (text) => text ? h('small', { lang: 'en' }, ' ', text) : null;
// The name of an opening or a motif, which is English or Russian in every language of the page, and is read out so.
export const ownName = (name) => h('span', { lang: /\p{Script=Cyrillic}/u.test(name) ? 'ru' : 'en' }, name);
// Keeps moves, captures and results in one piece: without this, `33-29` is divided at the end of a line.
const UNBROKEN = /((?:\d{1,2}|[a-p]\d{1,2})(?:[-x](?:\d{1,2}|[a-p]\d{1,2})){1,9}|\d(?:\/\d)?[-–:]\d(?:\/\d)?)/;
export const unbroken = (text) => text.split(UNBROKEN).map((part, at) => (at % 2 ? h('span', { class: 'nowrap' }, part) : part));

// Shows a failure in place of a part of the page.
export function failure(error, retry) {
  return h('p', { class: 'notice bad', role: 'alert' }, unbroken(error.message), english(error.english), retry && ' ', retry);
}
