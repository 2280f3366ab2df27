// Tries again what failed for want of a connection.

import { h } from './dom.js';
import { t } from './i18n.js';

// Says that there is no connection. Resolves when another attempt is worth it: on request, when the network is back, or after a while.
let attempt;
let notice;
const nextAttempt = () => (attempt ??= new Promise((resolve) => {
  notice ??= h('div', { class: 'toast', role: 'alert' }, t('noConnection'), ' ', h('button', { type: 'button', onclick: () => notice.again() }, t('again')));
  if (!notice.isConnected) document.body.append(notice);
  notice.again = resolve;
  addEventListener('online', resolve, { once: true });
  setTimeout(resolve, 5000);
}).finally(() => (attempt = null)));

// Calls `work` until it succeeds: while there is no connection, it is tried again. The page keeps what it shows. `work` is given the number
// of attempts that failed.
export async function connected(work, signal) {
  for (let tried = 0; ; tried++) {
    try {
      const answer = await work(tried);
      notice?.remove();
      return answer;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await nextAttempt();
      signal?.throwIfAborted();
    }
  }
}

// Loads a module that few visits need. Browsers remember that a module could not be loaded, so each further attempt has another address.
const modules = {};
export const loadModule = (path) => (modules[path] ??= connected((tried) => import(tried ? path + '?' + tried : path)));
