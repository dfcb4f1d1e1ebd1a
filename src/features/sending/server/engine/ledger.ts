import { setTimeout as sleep } from 'node:timers/promises';
import type { BounceNews, Bounces } from '#features/bounces/server/index.ts';
import type { PaceReason } from '#features/pace/rules/grant.ts';
import { giveBack, takeMessages } from '#features/pace/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import { untilReachable } from '#platform/server/work/stopped.ts';
import type { MailingKind } from '../../rules/mailing.ts';
import { lockParts } from '../part-queries.ts';
import { type Answer, type HandedOver, handOver, type SendOfPart, writeAnswers } from '../send-queries.ts';
import { slowDown } from '../slow-domains.ts';

/** Why nothing more leaves, and for how long. */
export interface PaceWait {
  why: PaceReason;
  seconds: number;
}

/** Nothing more leaves for some seconds, so that the workspace keeps to its pace. */
export class Paced extends Error {
  readonly why: PaceReason;
  readonly seconds: number;

  constructor({ why, seconds }: PaceWait) {
    super(`the pace holds it back (${why})`);
    this.why = why;
    this.seconds = seconds;
  }
}

/**
 * Why a send may not leave: it is not due, another run has its part, nothing leaves, or not yet.
 */
export type Refused = 'not due' | 'lost' | 'not sending' | Paced;

interface LedgerParts {
  db: Database;
  bounces: Bounces;
  disk: DiskSpace;
  /** Whether the process stops. */
  isStopping(): boolean;
}

interface LedgerOf {
  workspaceId: number;
  mailingId: number;
  kind: MailingKind;
  /** The domain that its messages come from. */
  fromDomain: string;
}

interface Wanted {
  run: WorkRun;
  id: number;
  resolve(answer: number | Refused): void;
  reject(error: unknown): void;
}

interface Given {
  answer: Answer & { partId: number };
  resolve(): void;
  reject(error: unknown): void;
}

/** How long the absence of limits is believed. A new limit holds for what is under way after it. */
const unlimitedMs = 2_000;
/** The most of each kind in one transaction. */
const most = 200;
/** With fewer than this, a transaction waits a moment for more: it costs as much as one of many. */
const few = 16;
const gatherMs = 5;

/**
 * The ledger of one mailing, as the runs of this process write it. What they ask for while one
 * transaction is under way goes into the next: answers first, and after them the sends that take
 * their place. So a transaction is as large as the load asks for, and at no moment are more sends
 * handed over than there are slots.
 */
export class Ledger {
  readonly #parts: LedgerParts;
  readonly #mailing: LedgerOf;
  #wanted: Wanted[] = [];
  #given: Given[] = [];
  #isBusy = false;
  #unlimitedUntil = 0;

  constructor(parts: LedgerParts, mailing: LedgerOf) {
    this.#parts = parts;
    this.#mailing = mailing;
  }

  /** Hands a send over. Answers the number of the attempt, or why it may not leave. */
  handOver(run: WorkRun, id: number): Promise<number | Refused> {
    const { promise, resolve, reject } = Promise.withResolvers<number | Refused>();
    this.#wanted.push({ run, id, resolve, reject });
    this.#begin();
    return promise;
  }

  /**
   * Writes an answer down, however long the database is away or has no room. A process that stops
   * tries it for half a minute.
   */
  answer(partId: number, answer: Answer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#given.push({ answer: { ...answer, partId }, resolve, reject });
    this.#begin();
    return promise;
  }

  #begin(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // After this turn, so that what comes together goes together.
    setImmediate(() => void this.#write());
  }

  async #write(): Promise<void> {
    while (this.#wanted.length + this.#given.length > 0) {
      const wanted = this.#wanted.splice(0, most);
      const given = this.#given.splice(0, most);
      try {
        const answers = await this.#transact(wanted, given);
        this.#settle(given);
        for (const [place, { resolve }] of wanted.entries()) resolve(answers[place] as number | Refused);
        if (this.#wanted.length + this.#given.length < few) await sleep(gatherMs);
      } catch (error) {
        for (const { reject } of wanted) reject(error);
        await this.#writeLater(given);
      }
    }
    this.#isBusy = false;
  }

  async #transact(wanted: readonly Wanted[], given: readonly Given[]): Promise<(number | Refused)[]> {
    const { db, disk } = this.#parts;
    try {
      return await db.asTenant(this.#mailing.workspaceId, (tx) => this.#writeBoth(tx, wanted, given));
    } catch (error) {
      disk.notice(error);
      throw error;
    }
  }

  async #writeBoth(
    tx: TenantTx,
    wanted: readonly Wanted[],
    given: readonly Given[],
  ): Promise<(number | Refused)[]> {
    const { workspaceId } = this.#mailing;
    const parts = new Set([...wanted.map(({ run }) => run.id), ...given.map(({ answer }) => answer.partId)]);
    const leases = await lockParts(tx, workspaceId, [...parts]);
    if (given.length > 0) {
      const answers = given.map(({ answer }) => answer);
      await writeAnswers(tx, this.#mailing, answers);
      const slow = answers.filter(({ slowsDomain }) => slowsDomain);
      if (slow.length > 0)
        await slowDown(
          tx,
          this.#mailing,
          slow.map(({ id, waitSeconds }) => ({ id, seconds: waitSeconds ?? 0 })),
        );
      const bounced = this.#bouncedOf(answers);
      if (bounced.length > 0) await this.#parts.bounces.note(tx, workspaceId, bounced);
    }
    const held = wanted.filter(({ run }) => leases.get(run.id) === run.lease);
    if (held.length === 0) return wanted.map(() => 'lost');
    const { handed, isSending, wait, mayLeave } = await this.handOverAtPace(
      tx,
      held.map(({ run, id }) => ({ partId: run.id, id })),
    );
    return wanted.map((one) => {
      if (leases.get(one.run.id) !== one.run.lease) return 'lost';
      if (!isSending) return 'not sending';
      return wait && !mayLeave.has(one.id) ? new Paced(wait) : (handed.get(one.id) ?? 'not due');
    });
  }

  /**
   * Hands over as many as may leave now. Transactional ones know no pace: somebody waits for them.
   * Only what leaves counts. `wait`: no more may leave for so long.
   */
  async handOverAtPace(
    tx: TenantTx,
    sends: readonly SendOfPart[],
  ): Promise<HandedOver & { wait: PaceWait | null; mayLeave: ReadonlySet<number> }> {
    const { workspaceId, kind, fromDomain } = this.#mailing;
    const taken = await this.#take(tx, sends.length);
    const leaving = taken ? sends.slice(0, taken.count) : sends;
    const result = await handOver(tx, this.#mailing, kind, leaving);
    const stayed = leaving.length - result.handed.size;
    if (taken && stayed > 0) await giveBack(tx, workspaceId, fromDomain, stayed);
    return {
      ...result,
      // In the place of those who stayed, others may leave at once.
      wait: stayed > 0 ? null : (taken?.wait ?? null),
      mayLeave: new Set(leaving.map(({ id }) => id)),
    };
  }

  /** Null: there is no limit. */
  async #take(tx: TenantTx, count: number): Promise<Awaited<ReturnType<typeof takeMessages>>> {
    const { workspaceId, kind, fromDomain } = this.#mailing;
    if (kind !== 'campaign' || performance.now() < this.#unlimitedUntil) return null;
    const taken = await takeMessages(tx, workspaceId, fromDomain, count);
    if (!taken) this.#unlimitedUntil = performance.now() + unlimitedMs;
    return taken;
  }

  #bouncedOf(answers: readonly Answer[]): BounceNews[] {
    const { mailingId } = this.#mailing;
    return answers.flatMap(({ id, bounce, reply }) =>
      bounce ? [{ mailingId, sendId: id, verdict: bounce, source: 'reply', said: reply ?? '' }] : [],
    );
  }

  #settle(given: readonly Given[]): void {
    if (given.some(({ answer }) => answer.bounce)) this.#parts.bounces.wake(this.#mailing.workspaceId);
    for (const { resolve } of given) resolve();
  }

  /** What a server said is not lost while the database restarts or its disk is full. */
  async #writeLater(given: readonly Given[]): Promise<void> {
    if (given.length === 0) return;
    try {
      await untilReachable(() => this.#transact([], given), { goesOn: () => !this.#parts.isStopping() });
      this.#settle(given);
    } catch (error) {
      for (const { reject } of given) reject(error);
    }
  }
}
