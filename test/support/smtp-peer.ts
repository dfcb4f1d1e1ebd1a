import { createServer, type Socket } from 'node:net';

/**
 * How a mail server treats a message.
 * - `later`, `never`: says 451 or 550 to its recipient. `slow down`: 450, because it gets too much.
 * - `no data`: says 451 to DATA.
 * - `refuse`: says 554 to the whole message.
 * - `account`: says 554 too, because whoever sends may not.
 * - `drop before`, `drop after`: hangs up before it has seen the end of the message, or after it
 *   without an answer. `after` has taken it.
 * - `hang`: takes it, is silent for a while, and hangs up.
 */
export type Treatment =
  | 'take'
  | 'later'
  | 'slow down'
  | 'never'
  | 'no data'
  | 'refuse'
  | 'account'
  | 'drop before'
  | 'drop after'
  | 'hang';

export interface TakenMessage {
  from: string;
  to: string;
  raw: string;
  /** When its DATA began, on the clock of `performance`. */
  at: number;
}

/** A mail server with pipelining that writes down what it takes, and misbehaves when told to. */
export interface SmtpPeer {
  port: number;
  url: string;
  /** What it has really taken, whether or not anybody was told. */
  taken: TakenMessage[];
  /** Recipients that it was asked about. */
  asked: number;
  /** Decides about each message by its recipient. */
  treat: (to: string) => Treatment;
  /** Whether it refuses whoever signs in. */
  refusesSignIn: boolean;
  /** Whether it says 550 to every sender. */
  refusesSenders: boolean;
  /** How many messages it takes over one connection. At the next it says 421 and hangs up. */
  mostOfSession: number;
  /** Whether it closes the connection after each refusal. */
  hangsUpOnRefusal: boolean;
  /** Whether it says that it takes several commands at once. It takes them anyway. */
  offersPipelining: boolean;
  /** How long it takes to answer the end of a message. */
  delayMs: number;
  /** Connections that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

export async function openSmtpPeer(port = 0): Promise<SmtpPeer> {
  const sockets = new Set<Socket>();
  const peer = {
    port: 0,
    url: '',
    taken: [] as TakenMessage[],
    asked: 0,
    treat: () => 'take' as Treatment,
    refusesSignIn: false,
    refusesSenders: false,
    mostOfSession: Number.POSITIVE_INFINITY,
    hangsUpOnRefusal: false,
    offersPipelining: true,
    delayMs: 0,
  };
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new Visit(socket, peer);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  peer.port = typeof address === 'object' && address ? address.port : 0;
  peer.url = `smtp://127.0.0.1:${peer.port}`;
  return Object.assign(peer, {
    get open() {
      return sockets.size;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}

/** What a connection needs of its server. */
type Host = Omit<SmtpPeer, 'port' | 'url' | 'open' | 'close'>;

/** One connection. */
class Visit {
  readonly #socket: Socket;
  readonly #peer: Host;
  #rest = '';
  /** Null: it has refused the sender. */
  #from: string | null = '';
  #to = '';
  #data: { at: number } | null = null;
  #messages = 0;

  constructor(socket: Socket, peer: Host) {
    this.#socket = socket;
    this.#peer = peer;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => this.#read(chunk));
    this.#say('220 peer.test ESMTP');
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    while (this.#socket.writable) {
      const mark = this.#data ? '\r\n.\r\n' : '\r\n';
      // An empty message is a lone dot.
      const end = this.#data && this.#rest.startsWith('.\r\n') ? -2 : this.#rest.indexOf(mark);
      if (end === -1) return;
      const piece = this.#rest.slice(0, Math.max(end, 0));
      this.#rest = this.#rest.slice(end + mark.length);
      if (this.#data) this.#message(piece, this.#data.at);
      else this.#command(piece);
    }
  }

  #command(line: string): void {
    const answer = this.#answer(line);
    if (answer !== null) this.#say(answer);
  }

  /** Null: it hangs up. */
  #answer(line: string): string | null {
    const verb = line.split(' ')[0]?.toUpperCase();
    if (verb === 'EHLO') {
      const pipelining = this.#peer.offersPipelining ? '250-PIPELINING\r\n' : '';
      return `250-peer.test\r\n${pipelining}250-SIZE 50000000\r\n250 SMTPUTF8`;
    }
    if (verb === 'MAIL') {
      if (this.#messages >= this.#peer.mostOfSession) {
        this.#socket.end('421 4.4.5 Too many messages for this session\r\n');
        return null;
      }
      this.#to = '';
      this.#from = this.#peer.refusesSenders ? null : (/<(.*)>/.exec(line)?.[1] ?? '');
      if (this.#from === null) return '550 5.7.1 we take nothing from you';
      return '250 2.1.0 ok';
    }
    if (verb === 'RCPT' && this.#from === null) return '503 5.5.1 no sender';
    if (verb === 'RCPT') return this.#recipient(/<(.*)>/.exec(line)?.[1] ?? '');
    if (verb === 'DATA') {
      if (this.#to === '') return '554 5.5.1 no valid recipients';
      const treatment = this.#peer.treat(this.#to);
      if (treatment === 'drop before') return this.#hangUp();
      if (treatment === 'no data') return '451 4.3.2 no message now';
      this.#data = { at: performance.now() };
      return '354 go on';
    }
    if (verb === 'AUTH')
      return this.#peer.refusesSignIn ? '535 5.7.8 The password has expired' : '235 2.7.0 welcome';
    if (verb !== 'QUIT') return '250 ok';
    this.#socket.end('221 bye\r\n');
    return null;
  }

  #recipient(to: string): string {
    this.#peer.asked += 1;
    const treatment = this.#peer.treat(to);
    if (treatment === 'later') return '451 4.7.1 try again later';
    if (treatment === 'slow down') return '450 4.7.28 Too many messages from your domain, slow down';
    if (treatment === 'never') return '550 5.1.1 no such user';
    this.#to = to;
    return '250 2.1.5 ok';
  }

  #message(raw: string, at: number): void {
    this.#data = null;
    this.#messages += 1;
    const to = this.#to;
    const treatment = this.#peer.treat(to);
    if (treatment !== 'refuse' && treatment !== 'account')
      this.#peer.taken.push({ from: this.#from ?? '', to, raw: raw.replaceAll('\r\n..', '\r\n.'), at });
    if (treatment === 'drop after') this.#hangUp();
    else if (treatment === 'hang') setTimeout(() => this.#hangUp(), 5_000);
    else if (treatment === 'refuse') this.#say('554 5.7.1 not wanted');
    else if (treatment === 'account') this.#say('554 Message rejected: Email address is not verified.');
    else if (this.#peer.delayMs === 0) this.#say('250 2.0.0 taken');
    else setTimeout(() => this.#say('250 2.0.0 taken'), this.#peer.delayMs);
  }

  #hangUp(): null {
    this.#socket.destroy();
    return null;
  }

  #say(line: string): void {
    if (!this.#socket.writable) return;
    this.#socket.write(`${line}\r\n`);
    if (this.#peer.hangsUpOnRefusal && /^[45]/.test(line)) this.#socket.end();
  }
}
