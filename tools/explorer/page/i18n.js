// Texts in the language of the reader. Each language has all texts, so that no other one is loaded.

export const LANGUAGES = { en: 'English', nl: 'Nederlands', fr: 'Français', ru: 'Русский', pl: 'Polski' };

// A browser may refuse to store anything, as it does for a page within a page of another site. Then it is kept until the page is left.
const kept = {};

export function stored(name, area = 'localStorage') {
  if (name in kept) return kept[name];
  try {
    return self[area].getItem(name);
  } catch {
    return null;
  }
}

export function store(name, value, area = 'localStorage') {
  try {
    self[area].setItem(name, value);
  } catch {
    kept[name] = value;
  }
}

const wanted = stored('language') ?? navigator.languages?.map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) ?? 'en';
export const language = wanted in LANGUAGES ? wanted : 'en';
// Begins while the modules of the views are still on their way: the page names this module first.
const loading = import('./lang/' + language + '.js');
const plurals = new Intl.PluralRules(language);
let texts = {};

export async function loadLanguage() {
  texts = (await loading).default;
  document.documentElement.lang = language;
}

// Puts values into a text: `{games}` stands for one, and `{games:game|games}` for the form that the language has with this number:
// the one for one, the one for few, and last the one for all others. A number may be given as the text that `number` made of it.
export function filled(text, values) {
  return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, choices) => {
    const value = values[name] ?? '';
    if (choices === undefined) return typeof value === 'number' ? value.toLocaleString(language) : value;
    const forms = choices.split('|');
    const count = typeof value === 'number' ? value : Number(String(value).replace(/\D/g, ''));
    return forms[{ one: 0, few: 1 }[plurals.select(count)] ?? forms.length - 1];
  });
}

export const t = (key, values = {}) => filled(texts[key] ?? key, values);

// Returns a text with elements in the place of one of its values.
export function around(key, name, ...elements) {
  const [before, after] = t(key, { [name]: '\n' }).split('\n');
  return [before, elements, after];
}
