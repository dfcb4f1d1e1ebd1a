import { parentPort } from 'node:worker_threads';
import { type WritingOf, type WrittenMessage, writerOf } from './writer.ts';
import type { WriterAnswer, WriterOrder } from './writer-threads.ts';

// The entry of a thread that writes messages.
const mailings = new Map<number, WritingOf>();
const writers = new Map<number, ReturnType<typeof writerOf>>();

/** Made with the first message, so that one that cannot be made fails its own mailing alone. */
function writerFor(id: number): ReturnType<typeof writerOf> {
  const known = writers.get(id);
  if (known) return known;
  const what = mailings.get(id);
  if (!what) throw new Error('nobody has said what to write');
  const writer = writerOf(what);
  writers.set(id, writer);
  return writer;
}

function answer(order: Extract<WriterOrder, { sends: unknown }>): WriterAnswer {
  try {
    const writer = writerFor(order.writer);
    const at = new Date(order.at);
    const messages = order.sends.map((send) => {
      // A message that cannot be written for one person keeps nobody else from getting theirs.
      try {
        return writer.write(send, at);
      } catch {
        return null;
      }
    });
    return { batch: order.batch, messages };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { batch: order.batch, failure: message };
  }
}

/** The bytes that go over without a copy. Small ones lie in memory that others use too. */
const ownBytes = (messages: readonly (WrittenMessage | null)[]): ArrayBuffer[] =>
  messages.flatMap((message) => {
    if (!message) return [];
    const { buffer, byteLength } = message.raw;
    return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
  });

parentPort?.on('message', (order: WriterOrder) => {
  if ('forget' in order) {
    mailings.delete(order.forget);
    writers.delete(order.forget);
  } else if ('open' in order) mailings.set(order.open, order.what);
  else {
    const written = answer(order);
    parentPort?.postMessage(written, 'messages' in written ? ownBytes(written.messages) : []);
  }
});
