import { Batches } from '#platform/server/batches.ts';
import type { Database } from '#platform/server/database.ts';
import { storableText } from '#platform/server/storable-text.ts';
import type { HeldWork } from '#platform/server/work/runner.ts';
import { untilReachable, WorkStopped } from '#platform/server/work/stopped.ts';
import type { MailingRow } from '../mailing-queries.ts';
import type { PartRow } from '../part-queries.ts';
import { type Answer, type DueSend, handOver, skipUnwritable, writeAnswers } from '../send-queries.ts';
import type { Outcome } from '../smtp/connection.ts';
import { answerOf } from './answer-of.ts';
import type { Slot, Transport } from './transport.ts';
import type { MessageWriter, WrittenMessage } from './writer.ts';

/**
 * The longest time between the hand-over in the ledger and the first byte to the server. After it,
 * somebody may have paused the mailing or left: it is handed over anew.
 */
const stalledMs = 700;

export interface PartRunOptions {
  db: Database;
  held: HeldWork<PartRow>;
  mailing: MailingRow;
  writer: MessageWriter;
  transport: Transport;
}

/**
 * Sends what is due in one part.
 *
 *   a slot --> the message is written --> handed over in the ledger --> the server --> its answer
 * in the ledger
 *
 * At every moment at most as many sends are handed over as there are slots. If the process dies,
 * those are the uncertain ones.
 */
export async function sendPart(options: PartRunOptions, due: readonly DueSend[]): Promise<void> {
  const { transport } = options;
  return transport.keep
    ? keepAll(options, due, transport.keep)
    : new PartRun(options, transport.slot).sendAll(due);
}

class PartRun {
  readonly #options: PartRunOptions;
  readonly #slot: () => Promise<Slot>;
  readonly #handOvers: Batches<number, number | null>;
  readonly #answers: Batches<Answer, null>;
  #stop: Error | null = null;

  constructor(options: PartRunOptions, slot: () => Promise<Slot>) {
    this.#options = options;
    this.#slot = slot;
    this.#handOvers = new Batches((ids) => this.#handOver(ids));
    this.#answers = new Batches((answers) => this.#writeAnswers(answers));
  }

  async sendAll(due: readonly DueSend[]): Promise<void> {
    const { signal } = this.#options.held.stopper;
    const under = new Set<Promise<void>>();
    for (const send of due) {
      if (signal.aborted || this.#stop) break;
      let slot: Slot;
      try {
        slot = await this.#slot();
      } catch (error) {
        this.#stop ??= error as Error;
        break;
      }
      const one = this.#sendOne(send, slot)
        .catch((error: Error) => {
          this.#stop ??= error;
        })
        .finally(() => {
          slot.free();
          under.delete(one);
        });
      under.add(one);
    }
    // What is on its way is waited for: its answer is worth more than a quick end.
    await Promise.all(under);
    signal.throwIfAborted();
    if (this.#stop) throw this.#stop;
  }

  async #sendOne(send: DueSend, slot: Slot): Promise<void> {
    const message = await writeOrNull(this.#options.writer, send);
    if (message === null) return this.#skip(send.id);
    if (this.#options.held.stopper.signal.aborted || this.#stop) return;
    const attempt = await this.#handOvers.add(send.id);
    if (attempt === null) return;
    const handedAt = performance.now();
    const outcome = await slot.deliver(message, () => performance.now() - handedAt < stalledMs);
    await this.#answers.add(
      outcome === 'stalled' ? unsent(send.id, attempt) : storable(answerOf(send.id, attempt, outcome)),
    );
  }

  async #handOver(ids: number[]): Promise<(number | null)[]> {
    const { db, held, mailing } = this.#options;
    const { run, row } = held;
    const { handed, stopped } = await db.asTenant(run.workspaceId, (tx) =>
      handOver(tx, run, row, mailing.kind, ids),
    );
    if (stopped === 'lost') this.#stop ??= new WorkStopped('lost');
    if (stopped === 'not sending') this.#stop ??= new NotSending();
    return ids.map((id) => handed.get(id) ?? null);
  }

  async #writeAnswers(answers: Answer[]): Promise<null[]> {
    const { db, held } = this.#options;
    // The database may be restarting. What the server said is not to be lost for that.
    await untilReachable(() =>
      db.asTenant(held.run.workspaceId, (tx) => writeAnswers(tx, held.row, answers)),
    );
    return answers.map(() => null);
  }

  async #skip(id: number): Promise<void> {
    const { db, held } = this.#options;
    await db.asTenant(held.run.workspaceId, (tx) => skipUnwritable(tx, held.run, held.row, [id]));
  }
}

/** Somebody has paused or cancelled the mailing. */
export class NotSending extends Error {}

const unsent = (id: number, attempt: number): Answer => ({
  ...{ id, attempt, state: 'pending', reason: null, reply: null, waitSeconds: null },
});

const storable = (answer: Answer): Answer => ({
  ...answer,
  reply: answer.reply === null ? null : storableText(answer.reply),
});

/** A message that cannot be written for this person keeps nobody else from getting theirs. */
async function writeOrNull(writer: MessageWriter, send: DueSend): Promise<WrittenMessage | null> {
  try {
    return await writer.write(send, new Date());
  } catch {
    return null;
  }
}

/**
 * Messages that are kept instead of sent: each batch is kept and written down in one transaction.
 */
async function keepAll(
  { db, held, mailing, writer }: PartRunOptions,
  due: readonly DueSend[],
  keep: NonNullable<Transport['keep']>,
): Promise<void> {
  const { run, row, stopper } = held;
  const atOnce = 50;
  for (let from = 0; from < due.length; from += atOnce) {
    stopper.signal.throwIfAborted();
    const chunk = due.slice(from, from + atOnce);
    const written = await Promise.all(chunk.map((send) => writeOrNull(writer, send)));
    const messages = new Map(written.flatMap((message) => (message ? [[message.id, message]] : [])));
    const unwritable = chunk.filter((_, place) => written[place] === null).map(({ id }) => id);
    await db.asTenant(run.workspaceId, async (tx) => {
      if (unwritable.length > 0) await skipUnwritable(tx, run, row, unwritable);
      const { handed, stopped } = await handOver(tx, run, row, mailing.kind, [...messages.keys()]);
      if (stopped === 'lost') throw new WorkStopped('lost');
      if (stopped) throw new NotSending();
      const kept = [...handed.keys()].map((id) => messages.get(id) as WrittenMessage);
      await keep(tx, row, kept);
      const outcome: Outcome = { kind: 'accepted', reply: keptReply };
      await writeAnswers(
        tx,
        row,
        [...handed].map(([id, attempt]) => answerOf(id, attempt, outcome)),
      );
    });
  }
}

const keptReply = { code: 250, enhanced: '2.0.0', text: 'Kept in the outbox', lines: [] };
