import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small balancer for tests. Calls go in turn to the processes that report ready. */
export interface Balancer {
  url: string;
  add(backend: string): void;
  remove(backend: string): void;
  /** The processes that currently get calls. */
  ready(): string[];
  close(): Promise<void>;
}

const lookEveryMs = 100;

/** Listens on any free port of the loopback interface. */
export async function startBalancer(): Promise<Balancer> {
  const states = new Map<string, boolean>();
  const ready = () => [...states].filter(([, isReady]) => isReady).map(([backend]) => backend);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const able = ready();
    turn += 1;
    const backend = able[turn % Math.max(1, able.length)];
    if (backend === undefined) outgoing.writeHead(502).end('no process is ready');
    else passOn(backend, incoming, outgoing);
  });
  const look = setInterval(() => {
    for (const backend of states.keys()) {
      void isReady(backend).then((answer) => states.has(backend) && states.set(backend, answer));
    }
  }, lookEveryMs);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    add: (backend) => states.set(backend, false),
    remove: (backend) => states.delete(backend),
    ready,
    async close() {
      clearInterval(look);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function isReady(backend: string): Promise<boolean> {
  try {
    return (await fetch(`${backend}/api/ready`, { signal: AbortSignal.timeout(3000) })).ok;
  } catch {
    return false;
  }
}

/** Passes a call on as it arrives, on its own connection, and adds the caller's address. */
function passOn(backend: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { hostname, port } = new URL(backend);
  // The caller's own header stays in front, as behind any chain of proxies.
  const chain = [incoming.headers['x-forwarded-for'] ?? [], incoming.socket.remoteAddress ?? ''].flat();
  const headers = { ...incoming.headers, 'x-forwarded-for': chain.join(', ') };
  const { method = 'GET', url = '/' } = incoming;
  const onward = request({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(`the process did not answer: ${error.message}`);
  });
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
