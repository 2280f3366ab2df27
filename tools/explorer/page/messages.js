// What the server says, in the language of the reader: findings and problems have codes and values, and each language has a text for each
// code. The texts are loaded with the first message. What a message says beyond its code stays in English, and is marked as English.

import { loadModule } from './connection.js';
import { filled, language, t } from './i18n.js';

let texts;

export async function loadMessages() {
  if (language === 'en') return;
  texts ??= (await loadModule(`./messages/${language}.js`)).default;
}

// Returns the sentence about a finding, and what it says beyond that in English.
export function findingText({ code, message, arguments: values, meant }) {
  if (language === 'en') return { text: message };
  const { cause, detail, quoted } = values;
  const title = texts.codes[code] ?? code;
  const told = cause ? texts.causes[cause] : texts.details[`${code}.${quoted.length}`];
  const parts = [told && filled(told, { ...quoted }), meant?.length && t('meant', { moves: alternatives(meant) })].filter(Boolean);
  return { text: [title, parts.join('; ')].filter(Boolean).join(': '), english: told ? '' : detail };
}

const alternatives = (moves) => new Intl.ListFormat(language, { type: 'disjunction' }).format(moves);

// Returns why a game stops, in words.
export const causeText = ({ cause, reason }) => language === 'en' ? reason : texts.causes[cause] ?? reason;

// Values as they stand in a sentence: texts and words of the query language as code, and several of them as alternatives.
function shown(value) {
  if (Array.isArray(value)) return alternatives(value.map(shown));
  if (typeof value !== 'string') return value;
  return value === '' ? texts.problems.end : `\`${value}\``;
}

// The greatest number of moves that a sentence lists.
const MOST_LISTED = 12;

// Returns what is wrong with a request: by its reason and the values of its arguments, with what may be meant and what is possible. What no
// answer of the server says, such as an error of a proxy, has a sentence by its status, and the rest in English.
/** @param {{ status?: number, detail?: string, reason?: string, arguments?: Record<string, any> }} problem */
export function problemText({ status, detail, reason, arguments: values = {} }) {
  if (language === 'en' || !texts) return { text: detail };
  const told = texts.reasons[reason];
  if (!told) return { text: texts.problems[status] ?? '', english: detail };
  const { meant, legal } = values;
  const list = (moves) => moves.slice(0, MOST_LISTED).join(', ') + (moves.length > MOST_LISTED ? ' …' : '');
  return { text: [
    filled(told, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)]))),
    Array.isArray(meant) && meant.length && t('meant', { moves: shown(meant) }),
    legal?.length && `${t('legalMoves')} ${list(legal)}`,
  ].filter(Boolean).join(' ') };
}
