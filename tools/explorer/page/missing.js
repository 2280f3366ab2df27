// The page for an address that does not exist, in the language of the reader.

import { loadLanguage, t } from './i18n.js';

await loadLanguage();
document.title = document.getElementById('missing').textContent = t('nothingHere');
document.getElementById('home').textContent = t('toArchive');
