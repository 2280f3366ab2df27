// How the page looks to a visitor: colours, board, men and numbers. Each choice is an attribute of the root, and `style.css` does the rest.

import { store, stored } from './i18n.js';

// What may be chosen; the first is for those who chose nothing.
export const LOOKS = { theme: ['system', 'light', 'dark'], board: ['wood', 'green', 'blue', 'print', 'contrast'], men: ['shaded', 'flat', 'rimmed'], numbers: ['on', 'off'] };

export const look = (name) => document.documentElement.dataset[name];

// Shows what an address asks for, or else what was chosen.
export function showLook(asked = {}) {
  for (const [name, values] of Object.entries(LOOKS)) {
    document.documentElement.dataset[name] = [asked[name], stored(name)].find((value) => values.includes(value)) ?? values[0];
  }
}
showLook();

export function chooseLook(name, value) {
  store(name, value);
  showLook();
}

// The choices of the board that differ from the first: a board for other sites gets them by its address.
export const boardLook = () => Object.fromEntries(['board', 'men', 'numbers'].filter((name) => look(name) !== LOOKS[name][0]).map((name) => [name, look(name)]));
