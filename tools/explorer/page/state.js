// What is shown, as it stands in the address: the back button and bookmarks work by themselves.

import { language, store, stored } from './i18n.js';

export const FILTERS = ['player', 'white', 'black', 'event', 'date', 'min_rating', 'result', 'query', 'define'];

const listeners = new Set();
/** @type {Address} */
export let state = readAddress();

// How far each address was scrolled. After Back the view is as it was left: `back` says so until another address is shown. The place is read
// when it changes: while the page changes, it would have to be laid out for it.
const scrolled = new Map();
let place = scrollY;
addEventListener('scroll', () => (place = scrollY), { passive: true });
let shownAddress = location.search;
export let back = false;
history.scrollRestoration = 'manual';

// A page that is loaded again is scrolled as it was.
addEventListener('pagehide', () => store('scrolled', `${scrollY} ${location.search}`, 'sessionStorage'));
/** @type {PerformanceEntry & { type?: string }} */
const visit = performance.getEntriesByType('navigation')[0];
if (visit?.type === 'reload') {
  const [y, search] = (stored('scrolled', 'sessionStorage') ?? '').split(' ');
  if (search === location.search) {
    scrolled.set(search, Number(y) || 0);
    back = true;
  }
}

function enter(isBack) {
  scrolled.set(shownAddress, place);
  shownAddress = location.search;
  back = isBack;
  state = readAddress();
  listeners.forEach((listener) => listener(state));
}

export const scrollBack = () => back && scrollTo(0, scrolled.get(shownAddress) ?? 0);

function readAddress() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

function address(next) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(next)) {
    if (value !== undefined && value !== null && value !== '' && value !== false) search.set(name, value);
  }
  return '?' + search;
}

export const link = (change) => address(change);

// Replaces the whole state. `replace` makes no entry of the history.
export function go(next, { replace = false } = {}) {
  const query = address(next);
  const url = location.pathname + (query === '?' ? '' : query);
  if (url !== location.pathname + location.search) history[replace ? 'replaceState' : 'pushState'](null, '', url);
  enter(false);
}

// Changes some parts of the state.
export const change = (part, options) => go({ ...state, ...part }, options);

// Writes the same place in another way: nothing is shown anew.
export function correct(part) {
  Object.assign(state, part);
  history.replaceState(null, '', location.pathname + address(state));
  shownAddress = location.search;
}

export const subscribe = (listener) => listeners.add(listener);

export function filters(from = state) {
  return Object.fromEntries(FILTERS.filter((name) => from[name]).map((name) => [name, from[name]]));
}

// The variant that was chosen last, or else the one that is played where the language is spoken, if the archive has it.
const SPOKEN = { nl: 'international', fr: 'international', pl: 'international', ru: 'russian' };
export const useVariant = (variant) => store('variant', variant);
export function lastVariant(index) {
  return [stored('variant'), SPOKEN[language]].find((wanted) => index.variants.some(({ variant, games }) => variant === wanted && games));
}

addEventListener('popstate', () => enter(true));

// Links within the page change the state without loading it again.
/** @param {MouseEvent & { target: HTMLElement }} event */
const followed = (event) => {
  /** @type {HTMLAnchorElement} */
  const anchor = event.target.closest?.('a[href^="?"]');
  if (!anchor || anchor.hasAttribute('download') || anchor.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const url = new URL(anchor.href);
  event.preventDefault();
  go(Object.fromEntries(url.searchParams));
};
document.addEventListener('click', followed);
