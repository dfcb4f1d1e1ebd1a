import type { TenantTx } from '#platform/server/database.ts';
import type { PartRow } from '../part-queries.ts';
import type { Outcome } from '../smtp/connection.ts';
import type { SlotGuest } from '../smtp/line.ts';
import type { ConnectError } from '../smtp/sockets.ts';
import type { WrittenMessage } from './writer.ts';

/**
 * What became of a message. `stalled`: it was not fresh any more. `ConnectError`: there is no
 * connection to be had. Nobody has it in these two cases.
 */
export type Delivered = Outcome | 'stalled' | ConnectError;

/** The right to have one message under way. */
export interface Slot {
  /**
   * Gives the message to the server, if `isFresh` still holds when its turn comes. Never throws.
   */
  deliver(message: WrittenMessage, isFresh: () => boolean): Promise<Delivered>;
  /** Gives the right back. Does nothing the second time. */
  free(): void;
}

/** Why no message may leave just now, and for how long nobody tries. */
export interface Wait {
  notice: string;
  waitSeconds: number;
}

/** Messages go to a mail server. */
export interface ServerTransport {
  keep?: undefined;
  /**
   * Waits for a slot. Throws `ConnectError` when the server cannot be reached. Answers a `Wait`
   * where servers take only so many messages an hour.
   */
  slot(guest: SlotGuest): Promise<Slot | Wait>;
}

/** Where messages go. */
export type Transport =
  | ServerTransport
  | {
      /** Keeps the messages in the transaction that writes them down. */
      keep(tx: TenantTx, part: PartRow, messages: readonly WrittenMessage[]): Promise<void>;
      slot?: undefined;
    };
