import type { Database } from '#platform/server/database.ts';
import { storableText } from '#platform/server/storable-text.ts';
import type { HeldWork } from '#platform/server/work/runner.ts';
import { WorkStopped } from '#platform/server/work/stopped.ts';
import { keptReply } from '../../rules/kept-reply.ts';
import type { MailingRow } from '../mailing-queries.ts';
import type { PartRow } from '../part-queries.ts';
import { lockParts } from '../part-queries.ts';
import { type Answer, type DueSend, skipUnwritable, writeAnswers } from '../send-queries.ts';
import type { Outcome } from '../smtp/connection.ts';
import { ConnectError } from '../smtp/sockets.ts';
import { answerOf, reasonToStop } from './answer-of.ts';
import { type Ledger, Paced, type Refused } from './ledger.ts';
import type { Delivered, ServerTransport, Slot, Transport, Wait } from './transport.ts';
import type { WrittenMessage } from './writer.ts';
import type { MessageWriter } from './writer-threads.ts';

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
  ledger: Ledger;
}

/** Messages of a part that are written ahead or under way. */
const lanes = 32;
/** After this time a run takes no further message, so that others have their turn. */
const turnMs = 5_000;

/**
 * Sends what is due in one part, for as long as its turn lasts.
 *
 *   the message is written --> a slot --> handed over in the ledger --> the server --> its answer
 * in the ledger
 *
 * At every moment at most as many sends are handed over as there are slots. If the process dies,
 * those are the uncertain ones.
 */
export async function sendPart(options: PartRunOptions, due: readonly DueSend[]): Promise<void> {
  const { transport } = options;
  return transport.keep
    ? keepAll(options, due, transport.keep)
    : new PartRun(options, transport).sendAll(due);
}

class PartRun {
  readonly #options: PartRunOptions;
  readonly #slot: () => Promise<Slot | Wait>;
  readonly #until = performance.now() + turnMs;
  #stop: Error | null = null;

  constructor(options: PartRunOptions, transport: ServerTransport) {
    this.#options = options;
    const { id: mailingId, workspaceId, kind } = options.mailing;
    const guest = { workspaceId, mailingId, goesFirst: kind === 'transactional' };
    this.#slot = () => transport.slot(guest);
  }

  /** Whether no further message leaves in this run. */
  get #isOver(): boolean {
    const { signal } = this.#options.held.stopper;
    return signal.aborted || this.#stop !== null || performance.now() > this.#until;
  }

  async sendAll(due: readonly DueSend[]): Promise<void> {
    const { signal } = this.#options.held.stopper;
    const rest = due.values();
    const lane = async () => {
      for (const send of rest) {
        if (this.#isOver) return;
        await this.#sendOne(send).catch((error: Error) => {
          this.#stop ??= error;
        });
      }
    };
    // What is on its way is waited for: its answer is worth more than a quick end.
    await Promise.all(Array.from({ length: lanes }, lane));
    signal.throwIfAborted();
    if (this.#stop) throw this.#stop;
  }

  async #sendOne(send: DueSend): Promise<void> {
    const { writer, held, ledger } = this.#options;
    const message = await writer.write(send);
    if (message === null) return this.#skip(send.id);
    const slot = await this.#slot();
    if ('notice' in slot) {
      this.#stop ??= new ServersFull(slot);
      return;
    }
    try {
      // What was written and got no slot in time stays as it is, and leaves in another run.
      if (this.#isOver) return;
      const attempt = await ledger.handOver(held.run, send.id);
      if (typeof attempt !== 'number') return this.#refused(attempt);
      const handedAt = performance.now();
      const outcome = await slot.deliver(message, () => performance.now() - handedAt < stalledMs);
      const written = ledger.answer(held.row.id, this.#answerOf(send, attempt, outcome));
      // Whoever gets the slot is handed over after this answer, in one transaction with it.
      slot.free();
      await written;
    } finally {
      slot.free();
    }
  }

  #refused(why: Refused): void {
    if (why instanceof Paced) this.#stop ??= why;
    if (why === 'lost') this.#stop ??= new WorkStopped('lost');
    if (why === 'not sending') this.#stop ??= new NotSending();
  }

  #answerOf({ id, triedSeconds }: DueSend, attempt: number, outcome: Delivered): Answer {
    if (outcome === 'stalled') return unsent(id, attempt);
    if (outcome instanceof ConnectError) {
      this.#stop ??= outcome;
      return unsent(id, attempt);
    }
    const why = reasonToStop(outcome);
    if (why !== null) this.#stop ??= new NothingGetsThrough(storableText(why));
    return storable(answerOf({ id, attempt, triedSeconds }, outcome));
  }

  async #skip(id: number): Promise<void> {
    const { db, held, mailing } = this.#options;
    await db.asTenant(held.run.workspaceId, (tx) =>
      skipUnwritable(tx, held.run, held.row, mailing.kind, [id]),
    );
  }
}

/** Somebody has paused or cancelled the mailing. */
export class NotSending extends Error {}

/** The servers take no more messages for now. */
export class ServersFull extends Error {
  readonly wait: Wait;

  constructor(wait: Wait) {
    super(wait.notice);
    this.wait = wait;
  }
}

/** The mail server refuses something that all messages of the mailing have in common. */
export class NothingGetsThrough extends Error {}

const unsent = (id: number, attempt: number): Answer => ({
  ...{ id, attempt, state: 'pending', reason: null, reply: null, waitSeconds: null },
});

const storable = (answer: Answer): Answer => ({
  ...answer,
  reply: answer.reply === null ? null : storableText(answer.reply),
});

/**
 * Messages that are kept instead of sent: each batch is kept and written down in one transaction.
 */
async function keepAll(
  { db, held, mailing, writer, ledger }: PartRunOptions,
  due: readonly DueSend[],
  keep: NonNullable<Transport['keep']>,
): Promise<void> {
  const { run, row, stopper } = held;
  const atOnce = 50;
  for (let from = 0; from < due.length; from += atOnce) {
    stopper.signal.throwIfAborted();
    const chunk = due.slice(from, from + atOnce);
    const written = await Promise.all(chunk.map((send) => writer.write(send)));
    const messages = new Map(written.flatMap((message) => (message ? [[message.id, message]] : [])));
    const unwritable = chunk.filter((_, place) => written[place] === null).map(({ id }) => id);
    let wait: ConstructorParameters<typeof Paced>[0] | null = null;
    await db.asTenant(run.workspaceId, async (tx) => {
      const leases = await lockParts(tx, run.workspaceId, [run.id]);
      if (leases.get(run.id) !== run.lease) throw new WorkStopped('lost');
      if (unwritable.length > 0) await skipUnwritable(tx, run, row, mailing.kind, unwritable);
      const all = [...messages.keys()].map((id) => ({ partId: run.id, id }));
      const { handed, isSending, ...at } = await ledger.handOverAtPace(tx, all);
      if (!isSending) throw new NotSending();
      wait = at.wait;
      const kept = [...handed.keys()].map((id) => messages.get(id) as WrittenMessage);
      await keep(tx, row, kept);
      const outcome: Outcome = { kind: 'accepted', reply: kept250 };
      await writeAnswers(
        tx,
        { ...row, kind: mailing.kind },
        [...handed].map(([id, attempt]) => ({
          ...answerOf({ id, attempt, triedSeconds: 0 }, outcome),
          partId: run.id,
        })),
      );
    });
    if (wait) throw new Paced(wait);
  }
}

const kept250 = { code: 250, enhanced: '2.0.0', text: keptReply, lines: [] };
