import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { from as copyFrom } from 'pg-copy-streams';
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

  it('writes long rows in pieces of a megabyte, however many make a batch', async () => {
    const lengths: number[] = [];
    const copy = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lengths.push(chunk.length);
        done();
      },
    });
    const notes = { names: ['notes'], text: () => 'x'.repeat(2_000) };
    const long = new StagingWriter(copy, [notes], 100_000);
    for (let rows = 0; rows < 5_000; rows++) long.add(row);
    await long.end();
    expect(Math.max(...lengths)).toBeLessThan(1_100_000);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(10_000_000);
    expect(lengths.length).toBeLessThan(15);
  });

  it('drops what waits to be written when the database ends the copy', async () => {
    // A connection that takes nothing for now.
    const stream = new EventEmitter() as EventEmitter & { write: () => boolean };
    stream.write = () => false;
    const connection = { stream, query: () => undefined, sendCopyFail: () => undefined };
    const copy = copyFrom('copy staging from stdin');
    copy.submit(connection as never);
    const protocol = copy as unknown as {
      handleCopyInResponse(): void;
      handleError(error: Error): void;
    };
    protocol.handleCopyInResponse();
    const writer = new StagingWriter(copy, [], 1);
    for (let rows = 0; rows < 12; rows++) writer.add(row);
    await new Promise(setImmediate);
    const late = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    protocol.handleError(late);
    // The connection takes the rest. Nobody could catch an error here.
    for (let turn = 0; turn < 12; turn++) {
      stream.emit('drain');
      await new Promise(setImmediate);
    }
    await expect(writer.drained()).rejects.toBe(late);
  });
});
