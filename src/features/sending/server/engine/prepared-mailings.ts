import { isDeepStrictEqual } from 'node:util';
import type { TenantTx } from '#platform/server/database.ts';
import type { MailingRow } from '../mailing-queries.ts';
import type { PartRow } from '../part-queries.ts';
import type { Ledger } from './ledger.ts';
import type { WritingOf } from './writer.ts';
import type { MessageWriter } from './writer-threads.ts';

/** What all parts of a mailing have in common in this process. */
export interface Prepared {
  mailing: MailingRow;
  writer: MessageWriter;
  ledger: Ledger;
}

/** What messages are written with beside their mailing. It may change while that is under way. */
export type WrittenWith = Omit<WritingOf, 'mailing'>;

export interface PreparingParts {
  /** The mailing of a part, with the content of its variant. */
  mailingOf(tx: TenantTx, part: PartRow): Promise<MailingRow | undefined>;
  /** What it is written with at this moment: the key of its sender, the host of its links. */
  writtenWith(tx: TenantTx, mailing: MailingRow): Promise<WrittenWith>;
  writerOf(what: WritingOf): MessageWriter;
  ledgerOf(mailing: MailingRow): Ledger;
}

interface Kept extends Prepared {
  with: WrittenWith;
  /** Runs that write with it. */
  users: number;
}

/** Mailings that are kept while no run writes them. */
const most = 20;

/**
 * The mailings that this process sends. The content of a mailing never changes, so it is compiled
 * once for all of its parts. A campaign lasts for weeks where it leaves slowly, and a key or a host
 * that is gone by then would make its messages worthless: both are read again for each part, and
 * the writer is made anew when they differ.
 */
export class PreparedMailings {
  readonly #parts: PreparingParts;
  /** By their last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(parts: PreparingParts) {
    this.#parts = parts;
  }

  /**
   * The mailing of a part, until `letGo` is called with it. Null when there is none any more.
   */
  async take(tx: TenantTx, part: PartRow): Promise<Prepared | null> {
    const key = `${part.workspaceId}/${part.mailingId}/${part.variant ?? 0}`;
    const mailing = this.#kept.get(key)?.mailing ?? (await this.#parts.mailingOf(tx, part));
    if (!mailing) return null;
    const writtenWith = await this.#parts.writtenWith(tx, mailing);
    // Another run may have prepared it meanwhile.
    const before = this.#kept.get(key);
    const kept =
      before && isDeepStrictEqual(before.with, writtenWith)
        ? before
        : this.#prepare(before?.mailing ?? mailing, writtenWith, before?.ledger);
    kept.users++;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (before && before !== kept) closeUnused(before);
    this.#forgetOldest();
    return kept;
  }

  /** A run writes no more messages with what it took. */
  letGo(prepared: Prepared): void {
    const kept = prepared as Kept;
    kept.users--;
    if (![...this.#kept.values()].includes(kept)) closeUnused(kept);
    this.#forgetOldest();
  }

  #prepare(mailing: MailingRow, writtenWith: WrittenWith, ledger: Ledger | undefined): Kept {
    const writer = this.#parts.writerOf({ ...writtenWith, mailing });
    return { mailing, writer, with: writtenWith, users: 0, ledger: ledger ?? this.#parts.ledgerOf(mailing) };
  }

  /** One that a run writes with stays: its writer would be opened again and never be closed. */
  #forgetOldest(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= most) return;
      if (kept.users > 0) continue;
      this.#kept.delete(key);
      closeUnused(kept);
    }
  }
}

function closeUnused({ users, writer }: Kept): void {
  if (users === 0) writer.close();
}
