import { type RawBuilder, sql } from 'kysely';
import type { Bounces } from '#features/bounces/server/index.ts';
import { waitInWords } from '#features/pace/rules/words.ts';
import { waitNow } from '#features/pace/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Log } from '#platform/server/logging.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import type { HeldWork, WorkQueue } from '#platform/server/work/runner.ts';
import { untilReachable, WorkStopped } from '#platform/server/work/stopped.ts';
import type { MailingKind } from '../../rules/mailing.ts';
import type { Books } from '../books/books.ts';
import {
  endIfDone,
  holdBack,
  type MailingRow,
  moveMailing,
  noteTrouble,
  selectMailing,
  selectStatus,
  waitForMending,
} from '../mailing-queries.ts';
import {
  beginPart,
  claimPart,
  endPart,
  leavePart,
  lockParts,
  type PartRow,
  partLeases,
  skipRest,
} from '../part-queries.ts';
import { waitForPlaces } from '../receiver-places.ts';
import { selectDue } from '../send-queries.ts';
import { ConnectError } from '../smtp/sockets.ts';
import { Ledger, Paced, type PaceWait } from './ledger.ts';
import { NothingGetsThrough, NotSending, ServersFull, sendPart } from './part-run.ts';
import { type Prepared, PreparedMailings, type PreparingParts } from './prepared-mailings.ts';
import type { ProviderFinder } from './provider-finder.ts';
import type { Transport, Wait } from './transport.ts';
import { domainOf } from './writer.ts';

/** Parts of a kind that one process works on at once, and how many of these for one workspace. */
const atOnce = 8;
const ofOneWorkspace = 4;
/** Seconds until a mail server that cannot be reached is tried again. */
const awaySeconds = 20;
/** A wait for the pace that is over before anybody asks why. */
const shortWaitSeconds = 60;

export interface PartQueueOptions {
  /** The kind of its mailings. Each has a queue of its own, so that none waits for the other. */
  kind: MailingKind;
  db: Database;
  log: Log;
  disk: DiskSpace;
  /** Whether the process stops. */
  isStopping(): boolean;
  writtenWith: PreparingParts['writtenWith'];
  writerOf: PreparingParts['writerOf'];
  /** What takes its messages. Throws `NothingGetsThrough` where none may leave. */
  transportFor(mailing: MailingRow): Promise<Transport>;
  bounces: Bounces;
  books: Books;
  providers: ProviderFinder;
}

/**
 * Sends the mailings of one kind of all workspaces, a few hundred messages at a time. Each
 * transaction locks parts first and their mailing last, so that nobody waits in a circle.
 */
export class PartQueue implements WorkQueue<PartRow> {
  readonly name = 'part of a mailing';
  readonly leases = partLeases;
  readonly atOnce = atOnce;
  readonly whenFull = 'wait';
  readonly givenUp = 'Sending was broken off again and again.';
  readonly #options: PartQueueOptions;
  readonly #mailings: PreparedMailings;

  constructor(options: PartQueueOptions) {
    this.#options = options;
    const { writtenWith, writerOf } = options;
    const ledgerOf = ({ workspaceId, id, kind, fromAddress }: MailingRow) =>
      new Ledger(options, { workspaceId, mailingId: id, kind, fromDomain: domainOf(fromAddress) });
    this.#mailings = new PreparedMailings({
      ...{ writtenWith, writerOf, ledgerOf },
      mailingOf: (tx, part) => selectMailing(tx, part.workspaceId, part.mailingId, part.variant),
    });
  }

  /** A workspace whose mail server is slow leaves some slots to the others. */
  claim(lease: string, held: readonly HeldWork<PartRow>[], leaveOut: readonly number[]) {
    const byWorkspace = Map.groupBy(held, ({ run }) => run.workspaceId);
    const full = [...byWorkspace].filter(([, parts]) => parts.length >= ofOneWorkspace);
    const { db, kind } = this.#options;
    return claimPart(db.system, lease, kind, { parts: leaveOut, workspaces: full.map(([id]) => id) });
  }

  begin(tx: TenantTx, run: WorkRun): Promise<PartRow | null> {
    return beginPart(tx, run, this.#options.kind);
  }

  async leave(): Promise<void> {}

  told(): RawBuilder<unknown> {
    return sql`attempts = attempts`;
  }

  async work(held: HeldWork<PartRow>): Promise<void> {
    const taken: Prepared[] = [];
    try {
      await this.#work(held, async (tx) => {
        const prepared = await this.#mailings.take(tx, held.row);
        if (prepared) taken.push(prepared);
        return prepared;
      });
    } finally {
      for (const prepared of taken) this.#mailings.letGo(prepared);
    }
  }

  async #work(held: HeldWork<PartRow>, prepare: (tx: TenantTx) => Promise<Prepared | null>): Promise<void> {
    const { db } = this.#options;
    const { run, row } = held;
    const { workspaceId } = run;
    const { status, prepared, due } = await db.asTenant(workspaceId, async (tx) => {
      const status = await selectStatus(tx, workspaceId, row.mailingId);
      if (status !== 'sending') return { status, prepared: null, due: [] };
      const prepared = await prepare(tx);
      // Somebody waits for a transactional message.
      if (prepared?.mailing.kind === 'campaign') {
        const leases = await lockParts(tx, workspaceId, [run.id]);
        if (leases.get(run.id) !== run.lease) throw new WorkStopped('lost');
        await waitForPlaces(tx, row);
      }
      const due = prepared ? await selectDue(tx, row, prepared.mailing) : [];
      return { status, prepared, due };
    });
    if (status === 'cancelled')
      return this.#end(held, async (tx) => {
        await skipRest(tx, run, row, this.#options.kind);
        return endPart(tx, run, row);
      });
    if (!prepared) return this.#leave(held);
    const { mailing } = prepared;
    try {
      const transport = await this.#options.transportFor(mailing);
      if (!transport.keep) this.#options.providers.note(due.map(({ domain }) => domain));
      await sendPart({ ...prepared, db, held, transport }, due);
    } catch (error) {
      if (error instanceof NotSending) return this.#leave(held);
      if (error instanceof NothingGetsThrough) return this.#pause(held, error.message);
      if (error instanceof ConnectError) return this.#serverAway(held, error);
      if (error instanceof Paced) return this.#keepPace(held, domainOf(mailing.fromAddress), error);
      if (error instanceof ServersFull) return this.#wait(held, error.wait);
      throw error;
    }
    await this.#end(held, async (tx) => {
      const end = await endPart(tx, run, row);
      if (due.length > 0) await noteTrouble(tx, workspaceId, row.mailingId, null);
      return end;
    });
  }

  async #end(
    { run, row }: HeldWork<PartRow>,
    end: (tx: TenantTx) => ReturnType<typeof endPart>,
  ): Promise<void> {
    const { workspaceId } = run;
    await untilReachable(() =>
      this.#options.db.asTenant(workspaceId, async (tx) => {
        const { isDone } = await end(tx);
        if (!isDone) return;
        await this.#options.books.reconcile(tx, workspaceId, [run.id]);
        await endIfDone(tx, workspaceId, row.mailingId);
      }),
    );
  }

  /** Something is wrong that waiting does not mend. */
  async breakOff(
    held: HeldWork<PartRow>,
    end: { cancelled: true } | { cancelled: false; error: unknown },
  ): Promise<void> {
    const notice = end.cancelled ? null : asAppError(end.error).message;
    if (!end.cancelled)
      this.#options.log.error({ err: end.error, part: held.row.id }, 'a mailing was stopped');
    await this.#pause(held, notice);
  }

  async #serverAway(held: HeldWork<PartRow>, error: ConnectError): Promise<void> {
    this.#options.log.warn({ err: error, mailing: held.row.mailingId }, 'the mail server cannot be used');
    if (error.isFinal) return this.#pause(held, error.message);
    const { workspaceId } = held.run;
    const notice = `${error.message}. It is tried again by itself.`;
    await untilReachable(() =>
      this.#options.db.asTenant(workspaceId, async (tx) => {
        await leavePart(tx, held.run);
        await noteTrouble(tx, workspaceId, held.row.mailingId, { notice, waitSeconds: awaySeconds });
      }),
    );
  }

  async #wait({ run, row }: HeldWork<PartRow>, wait: Wait): Promise<void> {
    const { notice, waitSeconds } = wait;
    await untilReachable(() =>
      this.#options.db.asTenant(run.workspaceId, async (tx) => {
        await leavePart(tx, run);
        await holdBack(tx, run.workspaceId, row.mailingId, notice, waitSeconds);
      }),
    );
  }

  /**
   * The limits are asked once more before a long wait: they may have been changed since, and
   * whoever changed them ended the waits that were written down by then.
   */
  async #keepPace({ run, row }: HeldWork<PartRow>, fromDomain: string, paced: PaceWait): Promise<void> {
    const { workspaceId } = run;
    await untilReachable(() =>
      this.#options.db.asTenant(workspaceId, async (tx) => {
        // The part comes before the limits, as in the ledger.
        await leavePart(tx, run);
        const wait = paced.seconds > shortWaitSeconds ? await waitNow(tx, workspaceId, fromDomain) : paced;
        if (wait) await holdBack(tx, workspaceId, row.mailingId, noticeOf(wait), wait.seconds);
      }),
    );
  }

  /**
   * Nothing more of a campaign leaves until somebody resumes it. Nobody resumes transactional
   * messages: they are tried again by themselves.
   */
  async #pause(held: HeldWork<PartRow>, notice: string | null): Promise<void> {
    const { workspaceId } = held.run;
    const { mailingId } = held.row;
    await untilReachable(() =>
      this.#options.db.asTenant(workspaceId, async (tx) => {
        await leavePart(tx, held.run);
        const isPaused = await moveMailing(tx, workspaceId, mailingId, {
          from: ['sending'],
          to: 'paused',
          notice,
        });
        if (!isPaused) await waitForMending(tx, workspaceId, mailingId, notice);
      }),
    );
  }

  async #leave({ run }: HeldWork<PartRow>): Promise<void> {
    await untilReachable(() => this.#options.db.asTenant(run.workspaceId, (tx) => leavePart(tx, run)));
  }
}

/** What leaves all the time, only slowly, needs no word. */
const noticeOf = ({ why }: PaceWait): string | null => (why === 'hour' ? null : waitInWords[why]);
