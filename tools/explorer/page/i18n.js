// Texts in the language of the reader. Each language has all texts, so that no other one is loaded.

export const LANGUAGES = { en: 'English', nl: 'Nederlands', fr: 'Français', ru: 'Русский', pl: 'Polski' };

let texts = {};
export let language = 'en';

export async function loadLanguage() {
  const wanted = localStorage.getItem('language') ?? navigator.languages?.map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) ?? 'en';
  language = wanted in LANGUAGES ? wanted : 'en';
  texts = (await import('./lang/' + language + '.js')).default;
  document.documentElement.lang = language;
}

export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
