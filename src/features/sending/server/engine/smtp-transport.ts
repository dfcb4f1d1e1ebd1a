import { Line, type SlotGuest } from '../smtp/line.ts';
import type { SmtpPool } from '../smtp/pool.ts';
import { ConnectError } from '../smtp/sockets.ts';
import type { Delivered, Slot } from './transport.ts';
import type { WrittenMessage } from './writer.ts';

/**
 * Below this time for a message, as many again are handed over ahead as there are connections, so
 * that none of them waits for the ledger. With a slow server they would wait for a connection.
 */
const fastMs = 25;

/** Over connections to a mail server. */
export function smtpTransport(pool: SmtpPool): { slot(guest: SlotGuest): Promise<Slot> } {
  const window = new Window(pool.most);
  // A server counts as slow until it has shown otherwise.
  let usualMs = fastMs;
  const deliver = async (
    message: WrittenMessage,
    isFresh: () => boolean,
    guest: SlotGuest,
  ): Promise<Delivered> => {
    const began = performance.now();
    try {
      const { connection, giveBack } = await pool.lend(guest);
      try {
        if (!isFresh()) return 'stalled';
        return await connection.send({
          from: message.returnPath,
          to: message.recipient,
          raw: message.raw,
          needsSmtpUtf8: message.needsSmtpUtf8,
        });
      } finally {
        giveBack();
      }
    } catch (error) {
      return error instanceof ConnectError ? error : new ConnectError((error as Error).message, false);
    } finally {
      usualMs += (performance.now() - began - usualMs) / 16;
      window.size = usualMs < fastMs ? 2 * pool.most : pool.most;
    }
  };
  return {
    async slot(guest): Promise<Slot> {
      await window.enter(guest);
      let isFree = false;
      const free = () => {
        if (!isFree) window.leave();
        isFree = true;
      };
      try {
        await pool.ready(guest);
        return { deliver: (message, isFresh) => deliver(message, isFresh, guest), free };
      } catch (error) {
        free();
        throw error;
      }
    },
  };
}

/** Lets as many in at once as its size says; the others take turns. */
class Window {
  size: number;
  #inside = 0;
  readonly #line = new Line();

  constructor(size: number) {
    this.size = size;
  }

  async enter(guest: SlotGuest): Promise<void> {
    if (this.#inside >= this.size) await this.#line.wait(guest);
    else this.#inside += 1;
  }

  /** Hands the places to those who are next, as far as there are any. */
  leave(): void {
    this.#inside -= 1;
    while (this.#inside < this.size && this.#line.next()) this.#inside += 1;
  }
}
