// Makes elements without markup in strings: text from an archive stays text.

export const svgNamespace = 'http' + '://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && !(element instanceof SVGElement) && typeof value !== 'string') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(svgNamespace, tag), attributes, children);

// Replaces the children of a box. The control that has the focus is often drawn again; then the new one gets the focus, or if it
// can no longer be used, the nearest one that can.
export function redraw(box, ...children) {
  const controls = () => [...box.querySelectorAll('a[href], button, input, select, summary')];
  const nameOf = (control) => control.localName + (control.id || control.getAttribute('aria-label') || control.textContent);
  const before = controls();
  const at = before.indexOf(document.activeElement);
  box.replaceChildren(...children.filter(Boolean));
  if (at < 0) return;
  const after = controls();
  const same = after.find((control) => nameOf(control) === nameOf(before[at])) ?? (before[at].matches('.icon-button') && after[at]);
  const near = same && [same, ...after.slice(0, after.indexOf(same)).reverse(), ...after].find((control) => !control.disabled);
  if (near) near.focus({ preventScroll: true });
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

export const number = (value) => (value ?? 0).toLocaleString(document.documentElement.lang);
// A share of one as percent, with at most so many digits after the point.
export const percent = (share, digits = 0) => share.toLocaleString(document.documentElement.lang, { style: 'percent', maximumFractionDigits: digits });

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
