import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JudgedLines } from './judged-lines.ts';

/** The bytes of `text`, cut at these places. */
async function* cut(text: string, places: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    if (end > start) yield bytes.subarray(start, end);
    start = end;
  }
}

const details = fc.constantFrom(
  null,
  'manual 2026-11-25',
  'jo@café.co.uk',
  'a\\b@acme.co.uk',
  '日本@acme.co.uk',
);

it('decisions are found by their place, wherever the database cuts its text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ gap: fc.integer({ min: 1, max: 3 }), fate: fc.constantFrom(1, 2, 3), detail: details }),
      ),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (rows, places) => {
        let position = 0;
        const all = rows.map(({ gap, fate, detail }) => {
          position += gap;
          return { position, fate, firstPosition: 1, detail };
        });
        const text = all
          .map((row) => `${row.position}\t${row.fate}\t1\t${row.detail?.replaceAll('\\', '\\\\') ?? '\\N'}\n`)
          .join('');
        const lines = new JudgedLines(cut(text, places));
        const taken = [];
        for (let at = 1; at <= position; at++) {
          await lines.readOn();
          const found = lines.take(at);
          if (found) taken.push(found);
        }
        expect(taken).toEqual(all);
        expect(lines.take(position + 1)).toBeNull();
      },
    ),
  );
});
