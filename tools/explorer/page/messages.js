// What the server says, in the language of the reader: findings and problems have codes and values, and each language has a text for each
// code. The texts are loaded with the first message. What a message says beyond its code stays in English, and is marked as English.

import { filled, language, t } from './i18n.js';

let texts;
let loading;

export async function loadMessages() {
  if (language === 'en') return;
  loading ??= import('./messages/' + language + '.js');
  texts ??= (await loading).default;
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

// What the query language expects is often one of its own words, which are the same in every language.
const EXPECTED = /^expected ((?:`[^\x60]+`(?:, | or )?)+), found (`[^\x60]*`|the end)/;
const CONDITION = /^expected a condition .*found (`[^\x60]*`|the end)/;

// Returns what is wrong with a request, by its code or its status, and what only English says.
export function problemText({ code, status, detail, at }) {
  if (language === 'en' || !texts) return { text: detail };
  const { problems } = texts;
  const found = (text) => (text === 'the end' ? problems.end : text);
  const words = EXPECTED.exec(detail);
  if (words) return { text: filled(problems.expected, { expected: alternatives(words[1].split(/, | or /)), found: found(words[2]) }) };
  const condition = CONDITION.exec(detail);
  if (condition) return { text: filled(problems.condition, { found: found(condition[1]) }) };
  const text = (at !== undefined && code === 'invalid_value' && problems.invalid_part) || problems[code] || problems[status];
  return text ? { text, english: detail } : { text: '', english: detail };
}
