import { describe, expect, it } from 'vitest';
import {
  addresses,
  type DirtyRowsOptions,
  dirtyRows,
  type ExpectedCounts,
} from '#test/support/dirty-data.ts';

const textOf = (options: DirtyRowsOptions) => Buffer.concat([...dirtyRows(options)]).toString();

/** The email cells. The only quoted cell has a single comma. */
const emailsOf = (text: string) =>
  text
    .split('\n')
    .slice(1, -1)
    .map((line) =>
      line.startsWith('"') ? line.slice(1, line.indexOf('"', 1)) : line.slice(0, line.indexOf(',')),
    );

/** Judges each cell independently, by the plainest reading of the rules. */
function judge(
  cells: string[],
  existing: Set<string>,
  isSuppressed: (address: string) => boolean,
): ExpectedCounts {
  const counts = { imported: 0, duplicates: 0, invalid: 0, suppressed: 0, nonUk: 0 };
  const seen = new Set(existing);
  for (const cell of cells) {
    const address = cell.trim().toLowerCase();
    if (!/^[a-z0-9]+([._-][a-z0-9]+)*@([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$/.test(address)) counts.invalid++;
    else if (!address.endsWith('.uk')) counts.nonUk++;
    else if (isSuppressed(address)) counts.suppressed++;
    else if (seen.has(address)) counts.duplicates++;
    else {
      seen.add(address);
      counts.imported++;
    }
  }
  return counts;
}

describe('dirty rows', () => {
  it('come to the outcome they announce', () => {
    const options = { rows: 50_000, seed: 7 };
    const emails = emailsOf(textOf(options));
    expect(emails).toHaveLength(50_000);
    const expected = dirtyRows(options).expected();
    expect(judge(emails, new Set(), () => false)).toEqual(expected);
    expect(expected.duplicates / 50_000).toBeCloseTo(0.08, 2);
    expect(expected.invalid / 50_000).toBeCloseTo(0.03, 2);
    expect(expected.nonUk / 50_000).toBeCloseTo(0.15, 2);
  });

  it('come to it beside existing contacts and suppressions too', () => {
    const [someone = ''] = addresses(10_000, 3);
    const suppressedAddresses = ['gone@example.co.uk', someone];
    const suppressedDomains = ['blocked.co.uk', 'hotmail.co.uk'];
    const options = { rows: 20_000, seed: 3, existing: 10_000, suppressedAddresses, suppressedDomains };
    const counts = judge(
      emailsOf(textOf(options)),
      new Set(addresses(10_000, 3)),
      (address) =>
        suppressedAddresses.includes(address) ||
        suppressedDomains.some((domain) => address.endsWith(`@${domain}`)),
    );
    expect(counts).toEqual(dirtyRows(options).expected());
    expect(counts.suppressed).toBeGreaterThan(400);
  });

  it('are the same for the same seed, different for another, and cut into chunks', () => {
    expect(textOf({ rows: 500 })).toBe(textOf({ rows: 500, chunkBytes: 100 }));
    expect(textOf({ rows: 500 })).not.toBe(textOf({ rows: 500, seed: 2 }));
    expect([...dirtyRows({ rows: 500, chunkBytes: 5_000 })].length).toBeGreaterThan(4);
  });

  it('are about 60 bytes long', () => {
    expect(textOf({ rows: 10_000 }).length / 10_000).toBeGreaterThan(52);
    expect(textOf({ rows: 10_000 }).length / 10_000).toBeLessThan(68);
  });

  it('refuse suppressions whose rows would count as something else', () => {
    expect(() => dirtyRows({ rows: 1, suppressedDomains: ['gmail.com'] })).toThrow('gmail.com');
  });
});

describe('addresses', () => {
  it('are distinct, and their domains grow more slowly than they do', () => {
    const all = [...addresses(300_000)];
    expect(new Set(all).size).toBe(all.length);
    const domains = (list: string[]) => new Set(list.map((address) => address.split('@')[1])).size;
    expect(domains(all.slice(0, 3_000))).toBeGreaterThan(300);
    expect(domains(all)).toBeLessThan(domains(all.slice(0, 3_000)) * 60);
  });
});
