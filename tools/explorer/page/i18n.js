// Texts in the language of the reader. English is the fallback for what another language lacks.

import english from './lang/en.js';

export const LANGUAGES = { en: 'English', nl: 'Nederlands', fr: 'Français', ru: 'Русский', pl: 'Polski' };

let texts = english;
export let language = 'en';

export async function loadLanguage() {
  const wanted = localStorage.getItem('language') ?? navigator.languages?.map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) ?? 'en';
  language = wanted in LANGUAGES ? wanted : 'en';
  if (language !== 'en') {
    const own = await import('./lang/' + language + '.js');
    texts = { ...english, ...own.default };
  }
  document.documentElement.lang = language;
}

export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
