import type { Tree } from '#features/audience/rules/tree.ts';
import { keepSent } from '#features/images/server/index.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { storeLinks } from '#features/tracking/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import type { Log } from '#platform/server/logging.ts';
import type { MailingKind, SendState } from '../rules/mailing.ts';
import { chooseWinner, showTest, type TestStanding } from './ab-test/decide-tests.ts';
import { insertTest, type NewTest } from './ab-test/test-queries.ts';
import { createDirect, type DirectRecipient } from './direct.ts';
import { selectDomainFigures } from './domain-queries.ts';
import { selectCompletedBefore, selectSentByHour } from './hour-queries.ts';
import {
  endIfDone,
  hurryParts,
  insertMailing,
  linksOfVariant,
  type MailingContent,
  type MailingStanding,
  mailingStates,
  moveMailing,
  resumeMailing,
  selectMailing,
  selectStandings,
} from './mailing-queries.ts';
import { selectKeptMailings, selectNeverLeft } from './outbox/message-queries.ts';
import {
  countRecipients,
  type RecipientFilter,
  type RecipientRow,
  releaseUncertain,
  selectReasons,
  selectRecipients,
  selectUncertainBack,
} from './recipient-queries.ts';
import { countRested } from './rest.ts';

export interface NewMailing extends MailingContent {
  kind: MailingKind;
  /** Whom it goes to. They are written down as soon as the transaction has committed. */
  audience: Tree;
  createdBy: string | null;
  /** Absent: everybody gets the same. */
  test?: NewTest | null;
}

/** Mailings, for features that have something to send. */
export interface Sending {
  /** Makes a mailing and answers its number. Call `wake` once it is committed. */
  create(tx: TenantTx, workspaceId: number, mailing: NewMailing): Promise<number>;
  /**
   * Makes a transactional mailing, or a test, to addresses, contacts or not, and answers its
   * number. Its sends are numbered from 1. Call `wake` once it is committed.
   */
  createDirect(
    tx: TenantTx,
    workspaceId: number,
    mailing: MailingContent & { createdBy: string | null; kind?: 'transactional' | 'test' },
    recipients: readonly DirectRecipient[],
  ): Promise<number>;
  /** Looks for work at once and not within the next second. */
  wake(): void;
  /**
   * Nothing more leaves once it is committed. Returns false when the mailing is not under way; so
   * do the next two.
   */
  pause(tx: TenantTx, workspaceId: number, id: number): Promise<boolean>;
  resume(tx: TenantTx, workspaceId: number, id: number): Promise<boolean>;
  cancel(tx: TenantTx, workspaceId: number, id: number): Promise<boolean>;
  /** Where mailings stand, in people. */
  standings(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<MailingStanding[]>;
  /** Those of these mailings of which messages are kept, as no mail server is set. */
  kept: typeof selectKeptMailings;
  neverLeft: typeof selectNeverLeft;
  /** Where mailings stand, as SQL to find campaigns by. */
  states: typeof mailingStates;
  /** Recipients by id, after a place. */
  recipients(
    tx: TenantTx,
    workspaceId: number,
    id: number,
    filter: RecipientFilter,
    page: { after: number | null; offset: number; limit: number },
  ): Promise<RecipientRow[]>;
  countRecipients(tx: TenantTx, workspaceId: number, id: number, filter: RecipientFilter): Promise<number>;
  /** What a mailing says, in one of its variants. */
  content: typeof selectMailing;
  /** How many uncertain messages came back. */
  uncertainBack: typeof selectUncertainBack;
  /** Why people were not mailed, and how many for each reason. */
  reasons: typeof selectReasons;
  /** How many left in which hour. */
  sentByHour: typeof selectSentByHour;
  /** The last campaigns that were completed before a moment. */
  completedBefore: typeof selectCompletedBefore;
  /** A mailing by receiving domain. */
  byDomain: typeof selectDomainFigures;
  /** How many who may be mailed are left alone, as they were mailed lately. */
  countRested: typeof countRested;
  /** How the A/B test of a mailing stands. Null: it has none. */
  test(tx: TenantTx, workspaceId: number, mailingId: number): Promise<TestStanding | null>;
  /** Gives one of its variants to the rest. Call `wake` once it is committed. */
  chooseWinner: typeof chooseWinner;
  /** Sends an uncertain message again, by hand, or all of them. Returns how many. */
  sendAgain: typeof releaseUncertain;
}

interface SendingParts {
  db: Database;
  log: Log;
  disk: DiskSpace;
  /** Whether a mail server takes the messages of a workspace now. */
  hasServer(tx: TenantTx, workspaceId: number): Promise<boolean>;
}

export function openSending(parts: SendingParts, wake: () => void): Sending {
  return {
    wake,
    async create(tx, workspaceId, mailing) {
      const needsServer = await parts.hasServer(tx, workspaceId);
      const id = await insertMailing(tx, workspaceId, { ...mailing, needsServer });
      const { subject, preheader, html, text, test } = mailing;
      await storeLinks(tx, workspaceId, id, compileTemplate({ subject, preheader, html, text }).links);
      const variants = test?.variants.map((own) => own.html ?? '') ?? [];
      await keepSent(tx, workspaceId, [html, JSON.stringify(mailing.mergeData), ...variants]);
      if (test) {
        await insertTest(tx, workspaceId, id, test);
        for (const [place, own] of test.variants.entries()) {
          if (own.html === null) continue;
          const { links } = compileTemplate({ ...own, html: own.html, text: own.text ?? '' });
          await storeLinks(tx, workspaceId, id, links, (place + 1) * linksOfVariant);
        }
      }
      return id;
    },
    async createDirect(tx, workspaceId, mailing, recipients) {
      const needsServer = await parts.hasServer(tx, workspaceId);
      return createDirect(tx, workspaceId, { ...mailing, needsServer }, recipients);
    },
    async standings(tx, workspaceId, ids) {
      const standings = await selectStandings(tx, workspaceId, ids);
      return parts.disk.isFull ? standings.map(withoutRoom) : standings;
    },
    kept: selectKeptMailings,
    neverLeft: selectNeverLeft,
    states: mailingStates,
    recipients: selectRecipients,
    async countRecipients(tx, workspaceId, id, filter) {
      if (filter.search !== null || filter.among || filter.without)
        return countRecipients(tx, workspaceId, id, filter);
      const [standing] = await selectStandings(tx, workspaceId, [id]);
      return standing ? peopleIn(standing, filter.state) : 0;
    },
    content: selectMailing,
    uncertainBack: selectUncertainBack,
    reasons: selectReasons,
    sentByHour: selectSentByHour,
    completedBefore: selectCompletedBefore,
    byDomain: selectDomainFigures,
    countRested,
    test: (tx, workspaceId, mailingId) => showTest(parts, tx, workspaceId, mailingId),
    chooseWinner,
    sendAgain: releaseUncertain,
    pause: (tx, workspaceId, id) =>
      moveMailing(tx, workspaceId, id, { from: ['freezing', 'sending'], to: 'paused', notice: null }),
    resume: resumeMailing,
    async cancel(tx, workspaceId, id) {
      const from = ['freezing', 'sending', 'paused'] as const;
      const isMoved = await moveMailing(tx, workspaceId, id, { from, to: 'cancelled', notice: null });
      if (isMoved && !(await endIfDone(tx, workspaceId, id))) await hurryParts(tx, workspaceId, id);
      return isMoved;
    },
  };
}

/** Nothing can be written down while there is no room, so this is no column. */
const withoutRoom = (standing: MailingStanding): MailingStanding =>
  standing.status === 'freezing' || standing.status === 'sending'
    ? {
        ...standing,
        notice: 'The disk is full, and nothing leaves. It goes on by itself when there is room.',
      }
    : standing;

/** How many of a mailing's people are in a state, as the books say. Null: all, left out or not. */
function peopleIn(standing: MailingStanding, state: SendState | null): number {
  const { total, sent, failed, skipped, uncertain, pending, deferred } = standing;
  const leftOut = Object.values(standing.leftOut).reduce((sum, people) => sum + people, 0);
  switch (state) {
    case null:
      return total + leftOut;
    case 'left_out':
      return leftOut;
    case 'pending':
    case 'handed':
      return pending - deferred;
    default:
      return { sent, failed, skipped, uncertain, deferred }[state];
  }
}
