import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { JudgedRow } from './reading.ts';
import { StagingWriter } from './stage.ts';

const row = {
  line: 2,
  part: 1,
  verdict: { local: 'ann', domain: 'acme.co.uk', address: null, state: 0 },
} as unknown as JudgedRow;

/** A COPY that the database ends with an error, after which nothing can be written to it. */
function failingCopy(failure: Error, at: number): Writable {
  let isOver = false;
  let writes = 0;
  const copy = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const write = copy.write.bind(copy);
  copy.write = ((chunk: Buffer) => {
    if (isOver) throw new TypeError("Cannot read properties of null (reading 'stream')");
    const goesOn = write(chunk);
    if (++writes === at) {
      isOver = true;
      copy.emit('error', failure);
    }
    return goesOn;
  }) as Writable['write'];
  return copy;
}

describe('a staging writer', () => {
  it.each([
    ['while rows are read', 1, 1],
    ['after many of them', 3, 1],
    ['in the middle of a batch', 2, 5],
  ])('tells why the database ended the copy: %s', async (_name, at, batchSize) => {
    const noRoom = Object.assign(new Error('could not extend file'), { code: '53100' });
    const writer = new StagingWriter(failingCopy(noRoom, at), [], batchSize);
    const stage = async () => {
      for (let rows = 0; rows < 12; rows++) writer.add(row);
      await writer.drained();
      await writer.end();
    };
    await expect(stage()).rejects.toBe(noRoom);
  });
});
