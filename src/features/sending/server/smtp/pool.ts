import { SmtpConnection } from './connection.ts';
import { Line, type SlotGuest } from './line.ts';
import type { SmtpServer } from './server.ts';
import { type ConnectError, type SmtpTimeouts, usualTimeouts } from './sockets.ts';

export interface SmtpPoolOptions {
  server: SmtpServer;
  /** What we call ourselves in EHLO. */
  name: string;
  /** Connections at once. More than servers allow one client gain nothing. */
  most: number;
  timeouts?: SmtpTimeouts;
  /** Where to connect, when that is looked up and checked beforehand. */
  lookUp?: (host: string) => Promise<string>;
}

/** A connection that its holder gives back. */
export interface LentConnection {
  connection: SmtpConnection;
  giveBack(): void;
}

/** A fresh connection after this many messages: some servers count them. */
const mostMessages = 1_000;
const idleMs = 15_000;

/** Connections to one mail server, kept open between messages. */
export class SmtpPool {
  readonly #options: SmtpPoolOptions;
  readonly #idle: { connection: SmtpConnection; timer: NodeJS.Timeout }[] = [];
  readonly #line = new Line();
  #lent = 0;

  constructor(options: SmtpPoolOptions) {
    this.#options = options;
  }

  /** A connection that is ready for a message. Waits for its turn. Throws `ConnectError`. */
  async lend(guest: SlotGuest): Promise<LentConnection> {
    if (this.#lent >= this.#options.most) await this.#line.wait(guest);
    else this.#lent += 1;
    try {
      const connection = this.#takeIdle() ?? (await this.#open());
      let isBack = false;
      return {
        connection,
        giveBack: () => {
          if (isBack) return;
          isBack = true;
          this.#keep(connection);
          this.#next();
        },
      };
    } catch (error) {
      this.#next();
      throw error as ConnectError;
    }
  }

  /**
   * Answers once there is a connection, idle or at work. Throws `ConnectError` when none can be
   * opened.
   */
  async ready(guest: SlotGuest): Promise<void> {
    if (this.#lent > 0 || this.#idle.some(({ connection }) => connection.isUsable)) return;
    (await this.lend(guest)).giveBack();
  }

  /** Connections at once. */
  get most(): number {
    return this.#options.most;
  }

  close(): void {
    for (const { connection, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      connection.close();
    }
  }

  async #open(): Promise<SmtpConnection> {
    const { server, name, timeouts = usualTimeouts, lookUp } = this.#options;
    const address = await lookUp?.(server.host);
    return SmtpConnection.open(server, { name, timeouts, ...(address === undefined ? {} : { address }) });
  }

  #takeIdle(): SmtpConnection | null {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.connection.isUsable) return kept.connection;
    }
    return null;
  }

  #keep(connection: SmtpConnection): void {
    if (!connection.isUsable || connection.sent >= mostMessages) {
      connection.close();
      return;
    }
    const kept = {
      connection,
      timer: setTimeout(() => {
        const place = this.#idle.indexOf(kept);
        if (place >= 0) this.#idle.splice(place, 1);
        connection.close();
      }, idleMs).unref(),
    };
    this.#idle.push(kept);
  }

  /** Hands the turn to whoever is next. */
  #next(): void {
    if (!this.#line.next()) this.#lent -= 1;
  }
}
