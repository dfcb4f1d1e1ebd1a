import { DOMAIN_LOWER } from './characters.ts';
import type { JudgedDomain } from './domain.ts';

/**
 * A good domain as a string (the same object every time, flat and hashed once). Or why it is not
 * good, or a good one that was probably meant to be another.
 */
export type DomainVerdict = string | JudgedDomain;

/** A verdict that is more than its own key. */
interface LongVerdict {
  key: string;
  judged: JudgedDomain;
}

const ways = 4;
/** Hashes have 30 bits, because every engine stores such numbers in the array itself. */
const hashBits = 0x3fffffff;

/**
 * A cache of judged domains that reads its key in place. `lookUp(text, start, hash)` takes the part
 * of `text` from `start`, which must contain only ASCII letters, digits, `-` and `.`, and compares
 * it without regard to case. `hash` is any 32-bit hash of its lower-case codes.
 *
 * Buckets have four slots, filled in turn: memory is bounded, and names made to collide only cost
 * time. A `Map` would need a slice of every row as its key (the engine must hash it anew), and each
 * slice would keep its chunk of the file alive. Hash and domain lie side by side, so a bucket is
 * about one line of the processor's cache: with 200,000 domains in random order, waiting for memory
 * is most of the cost.
 */
export function createDomainCache(
  slots: number,
  judge: (domain: string) => JudgedDomain,
): (text: string, start: number, hash: number) => DomainVerdict {
  if (slots < ways || (slots & (slots - 1)) !== 0)
    throw new RangeError('slots must be a power of two, 4 or more');
  const buckets = slots / ways - 1;
  const table: (number | string | LongVerdict)[] = [];
  for (let slot = 0; slot < slots; slot++) table.push(-1, '');
  let victim = 0;

  function add(text: string, start: number, hash: number, first: number): DomainVerdict {
    const key = copyLowerCase(text, start);
    const judged = judge(key);
    victim = (victim + 2) & (2 * ways - 1);
    let slot = first + victim;
    for (let free = first; free < first + 2 * ways; free += 2) if (table[free] === -1) slot = free;
    // `xn--` names may come back in another form. They are then judged again each time, which is
    // rare enough.
    const isItsKey = judged.ok && judged.suggestion === null;
    if (judged.ok && judged.domain !== key) return isItsKey ? judged.domain : judged;
    table[slot] = hash;
    table[slot + 1] = isItsKey ? key : { key, judged };
    return isItsKey ? key : judged;
  }

  return (text, start, rawHash) => {
    const mixed = Math.imul(rawHash ^ (rawHash >>> 16), 0x45d9f3b);
    const hash = (mixed ^ (mixed >>> 15)) & hashBits;
    const first = (hash & buckets) * 2 * ways;
    for (let slot = first; slot < first + 2 * ways; slot += 2) {
      if (table[slot] !== hash) continue;
      const held = table[slot + 1] as string | LongVerdict;
      if (typeof held === 'string') {
        if (isSame(held, text, start)) return held;
      } else if (isSame(held.key, text, start)) return held.judged;
    }
    return add(text, start, hash, first);
  };
}

function isSame(key: string, text: string, start: number): boolean {
  const length = key.length;
  if (text.length - start !== length) return false;
  for (let at = 0; at < length; at++) {
    if (key.charCodeAt(at) !== DOMAIN_LOWER[text.charCodeAt(start + at)]) return false;
  }
  return true;
}

/**
 * Makes a real copy: a slice would keep the whole chunk of the file alive as long as the cache
 * lives.
 */
function copyLowerCase(text: string, start: number): string {
  const codes: number[] = [];
  for (let at = start; at < text.length; at++) codes.push(DOMAIN_LOWER[text.charCodeAt(at)] as number);
  return String.fromCharCode.apply(null, codes);
}
