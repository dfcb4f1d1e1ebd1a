import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isGibberish } from './gibberish.ts';

const names = readFileSync(new URL('../lists/names.txt', import.meta.url), 'utf8')
  .replace(/#.*/g, '')
  .split(/\s+/)
  .filter((name) => name !== '');

/** Numbers from 0 to 1, the same every time. */
function* numbers(): Generator<number> {
  for (let seed = 1; ; seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) yield seed / 2 ** 32;
}

it.each([
  'xj220',
  'asdfgh',
  'qwertyuiop',
  'llywelyn',
  'rhys',
  'bronwen',
  'krzysztof',
  'szczepan',
  'jrrt',
  'drwsynghlwm',
  'mgrzybowska',
])('leaves %s alone', (local) => expect(isGibberish(local)).toBe(false));

it('leaves every name of the list alone, and any two of them written as one word', () => {
  expect(names.length).toBeGreaterThan(1000);
  expect(names.filter(isGibberish)).toEqual([]);
  const pairs = names.map((name, at) => `${name}${names[(at * 7 + 3) % names.length]}`);
  expect(pairs.filter(isGibberish)).toEqual([]);
  const initials = names.map((name, at) => `${'jkrtsmdb'[at % 8]}${'hpcgw'[at % 5]}${name}`);
  expect(initials.filter(isGibberish)).toEqual([]);
});

it('finds a good part of keys hit at random', () => {
  const random = numbers();
  const consonants = 'bcdfghjklmnpqrstvwxz';
  const mash = Array.from({ length: 1000 }, () =>
    Array.from({ length: 10 }, () => consonants[Math.floor((random.next().value as number) * 20)]).join(''),
  );
  const found = mash.filter(isGibberish).length;
  console.log(`${found} of 1000 runs of ten random consonants found`);
  expect(found).toBeGreaterThan(700);
});
