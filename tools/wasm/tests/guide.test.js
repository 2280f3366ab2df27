// Runs the recipes of the guide page for web authors. A line that ends in `// -> JSON` is compared with it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { ROOT, hasSearch, load } from './setup.js';

const AsyncFunction = (async () => {}).constructor;
const page = readFileSync(join(ROOT, 'crates/app/src/guide/web.md'), 'utf8');
const recipes = page.split(/^## /m).slice(1).filter((section) => section.includes('```js'));

test('there are ten recipes', () => assert.equal(recipes.length, 10));

for (const recipe of recipes) {
  const title = recipe.slice(0, recipe.indexOf('\n'));
  test(title, { skip: recipe.includes('pdn.find') && !hasSearch && 'the module that searches is not built' }, async () => {
    let compared = 0;
    const check = (value, expected) => {
      assert.deepEqual(value, expected);
      compared += 1;
    };
    for (const [, block] of recipe.matchAll(/```js\n([^]*?)```/g)) {
      const lines = block.replace(/^import .*$/m, '').split('\n').map((line) => line.replace(/^(\s*)(.*\S)\s*\/\/ -> (.*)$/, '$1;check($2, $3);'));
      const own = block.includes('const pdn') ? ['load'] : ['load', 'pdn'];
      await new AsyncFunction(...own, 'check', lines.join('\n'))(...[load, await load()].slice(0, own.length), check);
    }
    assert.ok(compared > 0, 'nothing is compared');
  });
}
