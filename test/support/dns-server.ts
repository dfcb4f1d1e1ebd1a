import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/**
 * A name server for one test on 127.0.0.1, UDP and TCP. It answers from a table and can misbehave.
 * A name that is not in the table does not exist.
 */
export interface NameAnswers {
  mx?: { exchange: string; priority: number }[];
  a?: string[];
  aaaa?: string[];
  txt?: string[];
  cname?: string;
  /** For a name such as `9.0.15.51.in-addr.arpa`. */
  ptr?: string[];
  /**
   * Instead of answering: refuse with this code, say nothing, or say over UDP that the answer does
   * not fit.
   */
  fails?: 'SERVFAIL' | 'REFUSED' | 'drop' | 'truncate';
  delayMs?: number;
}

export interface DnsServer {
  /** In the format of `DNS_SERVERS`. */
  address: string;
  /** Questions so far: 'MX acme.co.uk'. */
  questions: string[];
  /** The most questions waiting for an answer at the same time. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

const types = { a: 1, cname: 5, ptr: 12, mx: 15, txt: 16, aaaa: 28 } as const;
const codes = { none: 0, SERVFAIL: 2, noSuchName: 3, REFUSED: 5 } as const;

export async function startDnsServer(
  table: Record<string, NameAnswers> | ((name: string) => NameAnswers | undefined),
): Promise<DnsServer> {
  const find = typeof table === 'function' ? table : (name: string) => table[name];
  const questions: string[] = [];
  let open = 0;
  let most = 0;
  const answer = async (message: Buffer, overTcp: boolean): Promise<Buffer | undefined> => {
    const { name, type, end } = readQuestion(message);
    questions.push(
      `${
        Object.entries(types)
          .find(([, code]) => code === type)?.[0]
          .toUpperCase() ?? type
      } ${name}`,
    );
    open += 1;
    most = Math.max(most, open);
    try {
      const entry = find(name);
      if (entry?.delayMs) await new Promise((resolve) => setTimeout(resolve, entry.delayMs));
      return reply(message, end, type, entry, overTcp);
    } finally {
      open -= 1;
    }
  };

  const udp = createSocket('udp4');
  udp.on('message', (message, from) => {
    void answer(message, false).then((bytes) => bytes && udp.send(bytes, from.port, from.address));
  });

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    let held = Buffer.alloc(0);
    socket.on('data', (piece) => {
      held = Buffer.concat([held, piece]);
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const message = held.subarray(2, 2 + held.readUInt16BE(0));
        held = held.subarray(2 + message.length);
        void answer(message, true).then((bytes) => {
          if (bytes)
            socket.write(Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]));
        });
      }
    });
    socket.on('error', () => undefined);
  });
  const port = await listenOnOnePort(tcp, udp);
  return {
    address: `127.0.0.1:${port}`,
    questions,
    mostAtOnce: () => most,
    async close() {
      udp.close();
      for (const socket of sockets) socket.destroy();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

/**
 * The same port for both, because a resolver asks again by TCP when an answer was cut off. What is
 * free for one may be taken for the other, for instance by a connection that has just ended.
 */
async function listenOnOnePort(tcp: Server, udp: UdpSocket): Promise<number> {
  for (let triesLeft = 20; ; triesLeft--) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    try {
      udp.bind(port, '127.0.0.1');
      await once(udp, 'listening');
      return port;
    } catch (error) {
      tcp.close();
      await once(tcp, 'close');
      if (triesLeft === 0) throw error;
    }
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/**
 * The answer to a question that ends at `end` (RFC 1035 section 4). Undefined for what is dropped.
 */
function reply(
  message: Buffer,
  end: number,
  type: number,
  entry: NameAnswers | undefined,
  overTcp: boolean,
): Buffer | undefined {
  if (entry?.fails === 'drop') return undefined;
  const isCut = entry?.fails === 'truncate' && !overTcp;
  const records = isCut || !entry ? [] : recordsOf(type, entry);
  const code =
    entry?.fails === 'SERVFAIL' || entry?.fails === 'REFUSED'
      ? codes[entry.fails]
      : entry
        ? codes.none
        : codes.noSuchName;
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 2);
  // A response with recursion desired and available. `tc` when it was cut off.
  head.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  const parts: Buffer[] = [head, message.subarray(12, end)];
  for (const data of records) {
    // The name as a pointer to the question, the type, class IN, a lifetime of one minute.
    const front = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]);
    parts.push(front, data);
  }
  return Buffer.concat(parts);
}

function recordsOf(type: number, entry: NameAnswers): Buffer[] {
  switch (type) {
    case types.mx:
      return (entry.mx ?? []).map(({ exchange, priority }) =>
        Buffer.concat([Buffer.from([priority >> 8, priority & 255]), nameBytes(exchange)]),
      );
    case types.a:
      return (entry.a ?? []).map((address) => Buffer.from(address.split('.').map(Number)));
    case types.aaaa:
      return (entry.aaaa ?? []).map((address) =>
        Buffer.from(
          address
            .split(':')
            .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
        ),
      );
    case types.cname:
      return entry.cname === undefined ? [] : [nameBytes(entry.cname)];
    case types.ptr:
      return (entry.ptr ?? []).map(nameBytes);
    case types.txt:
      return (entry.txt ?? []).map((text) => {
        const strings = text.match(/.{1,255}/gs) ?? [''];
        return Buffer.concat(strings.map((part) => Buffer.from([part.length, ...Buffer.from(part)])));
      });
    default:
      return [];
  }
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
