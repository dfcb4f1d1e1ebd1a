import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isGibberish } from './gibberish.ts';

const namesIn = (path: string): string[] =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .replace(/^==.*$|#.*$/gm, '')
    .split(/\s+/)
    .filter((name) => name !== '');
const names = namesIn('../lists/names.txt');
/** The model has never seen these. */
const heldOut = namesIn('../server/held-out-names.txt');

/** Numbers from 0 to 1, the same every time. */
function* numbers(): Generator<number> {
  for (let seed = 1; ; seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) yield seed / 2 ** 32;
}

it.each([
  'xj220',
  'cstrngths',
  'bthwlls',
  'rhythmnblues',
  'property',
  'andrewtrewin',
  'hahaha',
  'jojojojo',
  'lalalala',
  'johnjohn',
  'tomtomtom',
  'couscous',
  'barbarbar',
  'zzzzz',
  'mmmm',
  'abcdefghijklmnopqrstuvwxyz',
  'llywelyn',
  'rhys',
  'bronwen',
  'krzysztof',
  'szczepan',
  'jrrt',
  'drwsynghlwm',
  'mgrzybowska',
])('leaves %s alone', (local) => expect(isGibberish(local)).toBe(false));

it.each(
  `qwerty qwertyuiop asdfgh asdfghjkl zxcvbnm poiuytrewq lkjhgfdsa mnbvcxz asdfg lkjhg rtyuio.smith jo.zxcvb
  asdasdasd qweqweqwe zxczxc jkljkl dfgdfgdfg ghjghj fdsfds ertertert uiouiouio dfdfdf jkjkjkjk ghghghgh
  asdfasdf hjklhjkl xcxcxcxc qwerqwer aaaaaaa xxxxxxx hhhhhhhh jjjjjjj zzzzzzzz sdkfjhsdkf kjhsdfkjh lkjsdflkj
  sdlfkjsdf jhgfjhgf dfkjghdfkg skdjfhskdj fjdkslajf qwsdfgcx sdfghjk dsfsdfsd fghfghf kljkljkl vbnvbnvb`
    .split(/\s+/)
    .map((local) => [local]),
)('finds the mash %s', (local) => expect(isGibberish(local)).toBe(true));

it.each([
  ['taught', names],
  ['never seen', heldOut],
])('leaves every name alone, also in twos and with initials: %s', (_, names) => {
  expect(names.length).toBeGreaterThan(1000);
  expect(names.filter(isGibberish)).toEqual([]);
  const pairs = names.map((name, at) => `${name}${names[(at * 7 + 3) % names.length]}`);
  expect(pairs.filter(isGibberish)).toEqual([]);
  const initials = names.map((name, at) => `${'jkrtsmdb'[at % 8]}${'hpcgw'[at % 5]}${name}`);
  expect(initials.filter(isGibberish)).toEqual([]);
});

it('is wrong about few names in short: without vowels, and with initials as well', () => {
  const short = heldOut.map((name) => (name[0] as string) + name.slice(1).replace(/[aeiou]/g, ''));
  expect(short.filter(isGibberish)).toEqual([]);
  const withInitials = short.flatMap((name, at) => [`${'jkrtsm'[at % 6]}${name}`, `jh${name}`]);
  const wrong = withInitials.filter(isGibberish);
  console.log(
    `${wrong.length} of ${withInitials.length} without vowels and with initials: ${wrong.join(' ')}`,
  );
  expect(wrong.length).toBeLessThan(withInitials.length * 0.02);
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
