import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { stuffed } from './dots.ts';
import { type Reply, ReplyReader, replyInWords } from './replies.ts';
import type { SmtpServer } from './server.ts';
import {
  ConnectError,
  openSocket,
  type SmtpTimeouts,
  secured,
  tlsOptions,
  usualTimeouts,
} from './sockets.ts';

/** One message and whom it is for. */
export interface Envelope {
  from: string;
  to: string;
  raw: Buffer;
  needsSmtpUtf8: boolean;
}

/**
 * What became of a message.
 * - `accepted`: the server has taken it.
 * - `refused`: the server has said no, for now (4xx) or for good (5xx).
 * - `not_taken`: the connection broke before the message was on its way. Nobody has it.
 * - `uncertain`: the connection broke between the end of the message and the answer.
 */
export type Outcome =
  | { kind: 'accepted'; reply: Reply }
  | { kind: 'refused'; reply: Reply; phase: 'sender' | 'recipient' | 'data' | 'message' }
  | { kind: 'not_taken'; why: string }
  | { kind: 'uncertain'; why: string };

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** A connection to a mail server over which messages go one after the other. */
export class SmtpConnection {
  #socket: Socket | TLSSocket;
  readonly #server: SmtpServer;
  readonly #timeouts: SmtpTimeouts;
  #reader = new ReplyReader();
  #waiting: Waiting[] = [];
  #extensions = new Set<string>();
  #auth: readonly string[] = [];
  #broken: Error | null = null;
  #sent = 0;
  /** A reply that nobody has asked for, such as 421 before the server hangs up. */
  #parting: Reply | null = null;

  private constructor(server: SmtpServer, socket: Socket, timeouts: SmtpTimeouts) {
    this.#server = server;
    this.#timeouts = timeouts;
    this.#socket = socket;
    this.#listen();
  }

  /** Opens a connection, with TLS and signed in as the server asks for. Throws `ConnectError`. */
  static async open(
    server: SmtpServer,
    {
      name,
      address = server.host,
      timeouts = usualTimeouts,
    }: { name: string; address?: string; timeouts?: SmtpTimeouts },
  ): Promise<SmtpConnection> {
    const socket = await openSocket(server, address, timeouts);
    const connection = new SmtpConnection(server, socket, timeouts);
    try {
      await connection.#greet(name);
      return connection;
    } catch (error) {
      connection.#fail(error as Error);
      if (error instanceof ConnectError) throw error;
      throw new ConnectError((error as Error).message, false, { cause: error });
    }
  }

  /** False once it has broken, or the server is about to hang up. */
  get isUsable(): boolean {
    return this.#broken === null && this.#parting === null && !this.#socket.destroyed;
  }

  /** Messages that went over it. */
  get sent(): number {
    return this.#sent;
  }

  /** Sends one message. Never throws. */
  async send(envelope: Envelope): Promise<Outcome> {
    if (!this.isUsable) return { kind: 'not_taken', why: this.#why() };
    if (envelope.needsSmtpUtf8 && !this.#extensions.has('SMTPUTF8')) return utf8Refusal;
    const utf8 = envelope.needsSmtpUtf8 ? ' SMTPUTF8' : '';
    const size = this.#extensions.has('SIZE') ? ` SIZE=${envelope.raw.length}` : '';
    const { replies, broke } = await this.#commands([
      `MAIL FROM:<${envelope.from}>${size}${utf8}`,
      `RCPT TO:<${envelope.to}>`,
      'DATA',
    ]);
    const refused = replies.findIndex((reply) => reply.code >= 400);
    const refusal = replies[refused];
    if (refusal) {
      await this.#startOver(refusal, replies[2]);
      return { kind: 'refused', reply: refusal, phase: phases[refused] ?? 'data' };
    }
    if (broke) return { kind: 'not_taken', why: broke.message };
    if (replies[2]?.code !== 354)
      return { kind: 'not_taken', why: `The mail server answered DATA with ${replies[2]?.code}.` };
    return this.#sendContent(envelope.raw);
  }

  /** Makes the connection ready for the next message after a refusal, or gives it up. */
  async #startOver(refusal: Reply, data: Reply | undefined): Promise<void> {
    try {
      // A server that takes DATA without a recipient is given an empty message and says no to it.
      if (data?.code === 354) await this.#command('.', this.#timeouts.endMs);
      const isOver = refusal.code === 421 || (await this.#command('RSET')).code >= 400;
      if (isOver) this.close();
    } catch (error) {
      // Many servers hang up on whom they refuse. What they said stands.
      this.#fail(error as Error);
    }
  }

  async #sendContent(raw: Buffer): Promise<Outcome> {
    try {
      this.#socket.cork();
      this.#socket.write(stuffed(raw));
      const answered = this.#expect(this.#timeouts.endMs);
      this.#socket.write('.\r\n');
      process.nextTick(() => this.#socket.uncork());
      const reply = await answered;
      this.#sent += 1;
      if (reply.code < 300) return { kind: 'accepted', reply };
      if (reply.code === 421) this.close();
      return { kind: 'refused', reply, phase: 'message' };
    } catch (error) {
      return { kind: 'uncertain', why: (error as Error).message };
    }
  }

  /** Says goodbye and hangs up. */
  close(): void {
    if (this.#broken) return;
    this.#broken = new Error('The connection was closed.');
    this.#socket.end('QUIT\r\n');
    setTimeout(() => this.#socket.destroy(), 1_000).unref();
  }

  #why(): string {
    return this.#parting
      ? `The mail server said: ${replyInWords(this.#parting)}`
      : (this.#broken?.message ?? hungUp);
  }

  #listen(): void {
    this.#socket.on('data', (bytes: Buffer) => {
      try {
        for (const reply of this.#reader.read(bytes)) this.#take(reply);
      } catch (error) {
        this.#fail(error as Error);
      }
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error(hungUp)));
  }

  #take(reply: Reply): void {
    const next = this.#waiting.shift();
    if (next) next.resolve(reply);
    else this.#parting = reply;
  }

  #fail(error: Error): void {
    this.#broken ??= error;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(this.#why()));
  }

  #expect(ms: number): Promise<Reply> {
    if (this.#broken) return Promise.reject(this.#broken);
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const timer = setTimeout(
      () => this.#fail(new Error(`The mail server was silent for ${Math.round(ms / 1000)} seconds.`)),
      ms,
    );
    this.#waiting.push({
      resolve: (reply) => {
        clearTimeout(timer);
        resolve(reply);
      },
      reject: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
    return promise;
  }

  async #command(command: string, ms = this.#timeouts.replyMs): Promise<Reply> {
    const answered = this.#expect(ms);
    this.#socket.write(`${command}\r\n`);
    return answered;
  }

  /**
   * The replies to these commands, sent together where the server takes that (RFC 2920). When the
   * connection breaks on the way, those that came before, and why it broke. Never throws.
   */
  async #commands(commands: readonly string[]): Promise<{ replies: Reply[]; broke: Error | null }> {
    const replies: Reply[] = [];
    try {
      if (!this.#extensions.has('PIPELINING')) {
        for (const command of commands) {
          const reply = await this.#command(command);
          replies.push(reply);
          if (reply.code >= 400) break;
        }
        return { replies, broke: null };
      }
      const answered = commands.map(() => this.#expect(this.#timeouts.replyMs));
      this.#socket.write(`${commands.join('\r\n')}\r\n`);
      // Replies come in the order of the commands, so a break leaves only the last without one.
      await Promise.all(answered.map(async (answer) => replies.push(await answer)));
      return { replies, broke: null };
    } catch (error) {
      return { replies, broke: error as Error };
    }
  }

  async #greet(name: string): Promise<void> {
    const greeting = await this.#expect(this.#timeouts.replyMs);
    if (greeting.code >= 400)
      throw new ConnectError(`The mail server said: ${replyInWords(greeting)}`, false);
    await this.#hello(name);
    const { tls, user, password } = this.#server;
    const hasTls = this.#extensions.has('STARTTLS');
    if (tls === 'required' && !hasTls)
      throw new ConnectError('The mail server does not offer encryption (STARTTLS).', true);
    if ((tls === 'required' || tls === 'offered') && hasTls) await this.#encrypt(name);
    if (user !== null) await this.#signIn(user, password ?? '');
  }

  async #hello(name: string): Promise<void> {
    const reply = await this.#command(`EHLO ${name}`);
    this.#extensions = new Set();
    this.#auth = [];
    if (reply.code >= 400) {
      const plain = await this.#command(`HELO ${name}`);
      if (plain.code >= 400) throw new ConnectError(`The mail server said: ${replyInWords(plain)}`, false);
      return;
    }
    for (const line of reply.lines.slice(1)) {
      const [keyword = '', ...rest] = line.trim().toUpperCase().split(/[ =]+/);
      this.#extensions.add(keyword);
      if (keyword === 'AUTH') this.#auth = rest;
    }
  }

  async #encrypt(name: string): Promise<void> {
    const reply = await this.#command('STARTTLS');
    if (reply.code !== 220)
      throw new ConnectError(`The mail server refused encryption: ${replyInWords(reply)}`, false);
    const plain = this.#socket as Socket;
    plain.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
    // What was written in plain before must not count after (CVE-2021-38371 and its like).
    this.#reader = new ReplyReader();
    this.#socket = await secured(
      this.#server,
      connectTls({ socket: plain, ...tlsOptions(this.#server) }),
      this.#timeouts,
    );
    this.#listen();
    await this.#hello(name);
  }

  async #signIn(user: string, password: string): Promise<void> {
    const isPlain = this.#auth.includes('PLAIN') || !this.#auth.includes('LOGIN');
    let reply: Reply;
    if (isPlain) {
      reply = await this.#command(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);
    } else {
      reply = await this.#command('AUTH LOGIN');
      if (reply.code === 334) reply = await this.#command(base64(user));
      if (reply.code === 334) reply = await this.#command(base64(password));
    }
    if (reply.code >= 300)
      throw new ConnectError(
        `The mail server refused the sign-in: ${replyInWords(reply)}`,
        reply.code >= 500,
      );
  }
}

/** What is asked for by each of the commands that come before a message. */
const phases = ['sender', 'recipient', 'data'] as const;
const hungUp = 'The mail server hung up.';
const utf8Refusal: Outcome = {
  kind: 'refused',
  phase: 'sender',
  reply: {
    code: 553,
    enhanced: '5.6.7',
    text: 'The mail server does not take addresses with letters beyond ASCII.',
    lines: [],
  },
};

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
