import { otherAddressesOf } from '#features/contacts/server/index.ts';
import { suppressRecipients, type ToldRecipient } from '#features/suppressions/server/index.ts';
import type { SendKey, TrackedSend, TrackedSends } from '#features/tracking/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { each } from '#platform/server/each-workspace.ts';
import type { Log } from '#platform/server/logging.ts';
import { port } from '#platform/server/ports.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { isPassing } from '#platform/server/work/stopped.ts';
import type { Verdict } from '../rules/classify/classify.ts';
import type { BouncedMailings } from './mailings-port.ts';
import { pauseIfTooMany } from './pause.ts';
import {
  type DueBounce,
  endDue,
  insertBounces,
  type NewBounce,
  selectDue,
  selectDueIds,
  selectSoftRow,
} from './queries.ts';

/** What somebody tells of a message: that it came back and why, or that its reader complained. */
export interface BounceNews extends SendKey {
  verdict: Pick<Verdict, 'class' | 'kind' | 'fault' | 'counts'> | 'complaint';
  source: BounceSource;
  said: string;
}

/**
 * Who told it. `reply`: the mail server, while the message was handed over to it. `listener`,
 * `mailbox`: a mail that came back. `webhook`: an email service.
 * `review`: somebody who has read such a mail.
 */
export type BounceSource = 'reply' | 'listener' | 'mailbox' | 'webhook' | 'review';

/** Bounces, for the features that learn of them. */
export interface Bounces {
  /** Writes down what is about messages of the workspace. Returns how many were news. */
  note(tx: TenantTx, workspaceId: number, news: readonly BounceNews[]): Promise<number>;
  /** Tells the suppression list at once and not within a minute. Call it after the commit. */
  wake(workspaceId: number): void;
}

export const bouncesPort = port<Bounces>('bounces.bounces');

export interface BouncesOptions {
  db: Database;
  log: Log;
  sends: () => TrackedSends | undefined;
  mailings: () => BouncedMailings | undefined;
}

/** So many soft bounces in a row suppress an address. */
const softInARow = 5;
/** Bounces in one transaction, which holds the workspace's figures meanwhile. */
const atOnce = 50;
/** What is kept of the words of a server. */
const longestSaid = 1_000;

export class BounceBook implements Bounces {
  readonly #options: BouncesOptions;
  readonly #busy = new Map<number, Promise<void>>();
  readonly #again = new Set<number>();

  constructor(options: BouncesOptions) {
    this.#options = options;
  }

  async note(tx: TenantTx, workspaceId: number, news: readonly BounceNews[]): Promise<number> {
    const found = (await this.#options.sends()?.find(tx, workspaceId, news)) ?? [];
    const sends = new Map(found.map((send) => [`${send.mailingId}/${send.sendId}`, send]));
    const told = new Map<string, NewBounce>();
    for (const { mailingId, sendId, verdict, source, said } of news) {
      const send = sends.get(`${mailingId}/${sendId}`);
      if (!send) continue;
      const { contactId, local, domain } = send;
      const event = verdict === 'complaint' ? 'complaint' : 'bounce';
      const key = `${mailingId}/${sendId}/${event}`;
      if (told.get(key)?.class === 'hard') continue;
      const judged =
        verdict === 'complaint'
          ? ({ class: verdict, kind: verdict, fault: 'address', counts: false } as const)
          : verdict;
      told.set(key, {
        ...{ mailingId, sendId, contactId, local, domain, event, source },
        ...{ class: judged.class, kind: judged.kind, fault: judged.fault, counts: judged.counts },
        said: storableText(said.slice(0, longestSaid)),
      });
    }
    return told.size > 0 ? insertBounces(tx, workspaceId, [...told.values()]) : 0;
  }

  /** The message, if there is one. */
  async find(tx: TenantTx, workspaceId: number, send: SendKey): Promise<TrackedSend | undefined> {
    return (await this.#options.sends()?.find(tx, workspaceId, [send]))?.[0];
  }

  wake(workspaceId: number): void {
    if (this.#busy.has(workspaceId)) {
      this.#again.add(workspaceId);
      return;
    }
    const { log } = this.#options;
    const work = inBackground(async () => {
      do {
        this.#again.delete(workspaceId);
        await this.carryOut(workspaceId);
      } while (this.#again.has(workspaceId));
    })
      .catch((error: unknown) =>
        log.warn({ err: error, workspaceId }, 'bounces wait for the suppression list'),
      )
      .finally(() => this.#busy.delete(workspaceId));
    this.#busy.set(workspaceId, work);
  }

  /** Waits for what is under way. */
  async settle(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  /** Puts on the suppression list whom the bounces say so of. */
  async carryOut(workspaceId: number, signal?: AbortSignal): Promise<void> {
    const { db, log } = this.#options;
    let after = 0;
    for (;;) {
      signal?.throwIfAborted();
      const from = { after, limit: atOnce };
      const ids = await db.asTenant(workspaceId, (tx) => selectDueIds(tx, workspaceId, from));
      await this.#carryOut(workspaceId, ids).catch(async (error: unknown) => {
        if (isPassing(error)) throw error;
        // One of them fails. The others do not wait for it.
        const failed = 'The suppression list could not be told of a bounce';
        const about = (bounceId: number) => ({ workspaceId, bounceId });
        await each(ids, { failed, log, signal, about }, (id) => this.#carryOut(workspaceId, [id]));
      });
      if (ids.length < atOnce) return;
      after = ids.at(-1) as number;
    }
  }

  #carryOut(workspaceId: number, ids: readonly number[]): Promise<void> {
    return this.#options.db.asTenant(workspaceId, async (tx) => {
      const due = await selectDue(tx, workspaceId, ids);
      const suppressed: number[] = [];
      const told: ToldRecipient[] = [];
      for (const bounce of due)
        if (await this.#suppresses(tx, workspaceId, bounce)) {
          told.push(...(await this.#toldBy(tx, workspaceId, bounce)));
          suppressed.push(bounce.id);
        }
      await suppressRecipients(tx, workspaceId, told);
      // Whoever notes bounces takes the figures of their mailings in this order too.
      const mailingIds = [...new Set(due.map((bounce) => bounce.mailingId))].sort((a, b) => a - b);
      for (const mailingId of mailingIds)
        await pauseIfTooMany(tx, this.#options.mailings(), workspaceId, mailingId);
      if (due.length > 0) await endDue(tx, workspaceId, { told: due.map(({ id }) => id), suppressed });
    });
  }

  /** A bounce is about an address. A complaint is by a person, wherever they are mailed by now. */
  async #toldBy(tx: TenantTx, workspaceId: number, bounce: DueBounce): Promise<ToldRecipient[]> {
    const { local, domain, said } = bounce;
    const isComplaint = bounce.class === 'complaint';
    const told = { reason: isComplaint ? 'complained' : 'bounced', note: said === '' ? null : said } as const;
    const others = isComplaint ? await otherAddressesOf(tx, workspaceId, bounce) : [];
    return [{ local, domain }, ...others].map((key) => ({ ...key, ...told }));
  }

  async #suppresses(tx: TenantTx, workspaceId: number, bounce: DueBounce): Promise<boolean> {
    if (bounce.class !== 'soft') return true;
    const row = await selectSoftRow(tx, workspaceId, bounce, softInARow);
    return row !== undefined && !(await this.#options.mailings()?.hasReached(tx, workspaceId, bounce, row));
  }
}
