// Texts in the language of the reader. Each language has all texts, so that no other one is loaded.

export const LANGUAGES = { en: 'English', nl: 'Nederlands', fr: 'Français', ru: 'Русский', pl: 'Polski' };

const wanted = localStorage.getItem('language') ?? navigator.languages?.map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) ?? 'en';
export const language = wanted in LANGUAGES ? wanted : 'en';
// Begins while the modules of the views are still on their way: the page names this module first.
const loading = import('./lang/' + language + '.js');
let texts = {};

export async function loadLanguage() {
  texts = (await loading).default;
  document.documentElement.lang = language;
}

export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
