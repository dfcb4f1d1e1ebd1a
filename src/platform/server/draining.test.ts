import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drain, watchCalls } from './draining.ts';
import { answerWithEvents } from './event-stream.ts';

let app: FastifyInstance;
let url: string;
let finish: () => void;

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: true });
  watchCalls(app);
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  app.get('/api/ready', async () => ({ status: 'ok' }));
  app.get('/slow', async () => {
    await finished;
    return { done: true };
  });
  app.get('/events', (request, reply) => {
    const events = [{ event: 'first', data: 1, until: finished }];
    return answerWithEvents({ request, reply }, async () => events.pop() ?? { event: 'last', data: 2 });
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => {
  finish();
  return app.close();
});

const times = (patienceMs: number) => ({ noticeMs: 0, patienceMs });

/** Makes a call and waits until it is being served. */
async function begin(path: string): Promise<{ answer: Promise<Response> }> {
  const arrived = new Promise<void>((resolve) => app.server.once('request', () => resolve()));
  const answer = fetch(`${url}${path}`);
  await arrived;
  return { answer };
}

describe('draining', () => {
  it('says that the process is not ready, and still serves', async () => {
    await drain(app, times(0));
    const ready = await fetch(`${url}/api/ready?deep=1`);
    expect(ready.status).toBe(503);
    finish();
    const served = await fetch(`${url}/slow`);
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  });

  it('waits for a call at work', async () => {
    const { answer } = await begin('/slow');
    let isDrained = false;
    const drained = drain(app, times(60_000)).then(() => {
      isDrained = true;
    });
    await fetch(`${url}/api/ready`);
    expect(isDrained).toBe(false);
    finish();
    expect((await answer).status).toBe(200);
    await drained;
  });

  it('waits no longer than it is told to', async () => {
    const { answer } = await begin('/slow');
    await drain(app, times(50));
    finish();
    await answer;
  });

  it('waits for no stream of events, which ends only when its reader leaves', async () => {
    const stream = await fetch(`${url}/events`);
    await drain(app, times(60_000));
    await stream.body?.cancel();
  });
});
