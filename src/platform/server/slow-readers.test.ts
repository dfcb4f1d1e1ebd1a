import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerWithEvents } from './event-stream.ts';
import { createLogger } from './logging.ts';
import { watchReaders } from './slow-readers.ts';

const patienceMs = 300;
const piece = Buffer.alloc(65_536, 'x');
/** More than the network holds between two programs on one machine. */
const pieces = 600;

let app: FastifyInstance;
let port: number;
let cut: number;
let sources: Readable[];
let sockets: Socket[];

/** A file of `pieces` pieces. Fails after `failsAfter` of them. */
function file(failsAfter = Number.POSITIVE_INFINITY): Readable {
  async function* bytes() {
    for (let sent = 0; sent < pieces; sent++) {
      if (sent === failsAfter) throw new Error('the database went away');
      yield piece;
    }
  }
  const source = Readable.from(bytes(), { objectMode: false });
  sources.push(source);
  return source;
}

beforeEach(async () => {
  cut = 0;
  sources = [];
  sockets = [];
  app = Fastify({ forceCloseConnections: true });
  watchReaders(app, { patienceMs, log: createLogger('silent'), onCut: () => cut++ });
  app.get('/file', async (_request, reply) => reply.send(file()));
  app.get('/broken', async (_request, reply) => reply.send(file(100)));
  app.get('/json', async () => ({ text: 'x'.repeat(piece.length * pieces) }));
  app.get('/late', async (_request, reply) => {
    async function* slowly() {
      yield 'a';
      await sleep(4 * patienceMs);
      yield 'b';
    }
    return reply.send(Readable.from(slowly()));
  });
  app.get('/events', (request, reply) => {
    const events = [{ event: 'first', data: 1, until: sleep(4 * patienceMs) }];
    return answerWithEvents({ request, reply }, async () => events.pop() ?? { event: 'last', data: 2 });
  });
  app.get('/flood', (request, reply) => {
    const data = 'x'.repeat(piece.length);
    return answerWithEvents({ request, reply }, async () => ({ event: 'more', data, until: sleep(1) }));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as { port: number });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** A connection that asks for `path` and has not begun to read. */
function ask(path: string, version = '1.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/${version}\r\nHost: localhost\r\n\r\n`);
  socket.pause();
  return socket;
}

/** How the connection ends, once the reader reads again. */
async function endOf(socket: Socket): Promise<{ error: string | undefined; text: string }> {
  let error: string | undefined;
  let text = '';
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  socket.on('data', (bytes) => {
    text = (text + bytes.toString()).slice(-20);
  });
  socket.resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return { error, text };
}

const whenCut = () => expect.poll(() => cut, { timeout: 20 * patienceMs }).toBe(1);

describe('a reader who stops reading', () => {
  it.each([
    ['/file', '1.1'],
    ['/file', '1.0'],
    ['/json', '1.1'],
    ['/flood', '1.1'],
  ])('%s by HTTP/%s is cut off, and sees a broken connection', async (path, version) => {
    const socket = ask(path, version);
    await whenCut();
    await expect.poll(() => sources.every(({ destroyed }) => destroyed)).toBe(true);
    const { error, text } = await endOf(socket);
    // Never the end of a file: neither the last chunk nor a connection closed in good order.
    expect(error).toBe('ECONNRESET');
    expect(text).not.toMatch(/0\r\n\r\n$/);
  });

  it('leaves the others alone', async () => {
    ask('/file');
    const other = await fetch(`http://127.0.0.1:${port}/file`);
    expect((await other.arrayBuffer()).byteLength).toBe(piece.length * pieces);
    await whenCut();
  });
});

describe('is not cut off', () => {
  it('a reader who reads slowly and steadily', async () => {
    const socket = ask('/file', '1.0');
    let bytes = 0;
    socket.on('data', (taken) => {
      bytes += taken.length;
      // About half a megabyte, then a pause.
      if (bytes % (8 * piece.length) < taken.length && bytes < piece.length * (pieces - 100)) {
        socket.pause();
        setTimeout(() => socket.resume(), patienceMs / 10);
      }
    });
    const began = Date.now();
    socket.resume();
    await once(socket, 'close');
    expect(Date.now() - began).toBeGreaterThan(3 * patienceMs);
    expect(bytes).toBeGreaterThan(piece.length * pieces);
    expect(cut).toBe(0);
  });

  it.each(['/late', '/events'])('the reader of an answer that takes its time (%s)', async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(await answer.text()).toMatch(/b$|last/);
    expect(cut).toBe(0);
  });

  it('a connection that is kept for the next call', async () => {
    const socket = ask('/late');
    socket.resume();
    await sleep(6 * patienceMs);
    expect(socket.closed).toBe(false);
    expect(cut).toBe(0);
  });
});

it.each(['1.0', '1.1'])('an answer that fails on the way by HTTP/%s does not look whole', async (version) => {
  expect((await endOf(ask('/broken', version))).error).toBe('ECONNRESET');
});
