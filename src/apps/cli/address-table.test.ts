import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressTable } from './address-table.ts';

/** Few letters, so that many texts are equal, with some beyond ASCII and beyond 16 bits. */
const part = fc.string({ unit: fc.constantFrom('a', 'b', '.', '@', 'é', '😀', '\u0000'), maxLength: 5 });

describe('the table of addresses', () => {
  it('answers as a Map of whole texts would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { maxLength: 300 }), (pairs) => {
        const table = new AddressTable();
        const known = new Map<string, number>();
        for (const [value, [local, domain]] of pairs.entries()) {
          const key = JSON.stringify([local, domain]);
          expect(table.find(local, domain)).toBe(known.get(key));
          expect(table.put(local, domain, value)).toBe(known.get(key));
          if (!known.has(key)) known.set(key, value);
          expect(table.find(local, domain)).toBe(known.get(key));
        }
        expect(table.size).toBe(known.size);
      }),
    );
  });

  it('loses none when it grows, over more than one chunk', () => {
    const table = new AddressTable();
    const count = 100_000;
    // Lengths on both sides of 255 bytes, where storing the length takes more room.
    const local = (n: number) => `${n}`.padEnd(150 + (n % 200), '.');
    for (let n = 0; n < count; n++) table.put(local(n), `firm${n % 1000}.co.uk`, n);
    expect(table.size).toBe(count);
    expect(table.bytes).toBeGreaterThan(2 ** 25);
    for (let n = 0; n < count; n++) {
      if (table.find(local(n), `firm${n % 1000}.co.uk`) !== n) throw new Error(`lost ${n}`);
    }
    expect(table.find(local(1), 'firm2.co.uk')).toBe(undefined);
    expect(table.find(local(1), 'nowhere.co.uk')).toBe(undefined);
  });

  it('keeps numbers up to 32 bits', () => {
    const table = new AddressTable();
    table.put('jo', 'acme.co.uk', 4_294_967_295);
    expect(table.find('jo', 'acme.co.uk')).toBe(4_294_967_295);
  });
});
