import { z } from 'zod';
import { recordActivity } from '#features/activities/server/index.ts';
import { withTree } from '#features/audience/rules/flat-filter.ts';
import { everybody, type Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { VerificationResult } from '../contract.ts';
import { addRows, emptyTally, type RunTally } from '../rules.ts';
import { selectContactDomains } from './domain-queries.ts';
import type { JudgedRows } from './judging/judge-rows.ts';
import { startJudgeThread } from './judging/judge-thread.ts';
import type { MailServers } from './mail/mail-servers.ts';
import { beginRun, finishRun, readContacts, selectChosenDomains } from './run-queries.ts';
import { gatherSharedMailboxes, writeVerdicts } from './verdict-queries.ts';

/**
 * A run over contacts, as a task. First, if wanted, it looks up the mail servers of their domains,
 * each domain once. Then it reads the contacts in id order, judges them on a separate thread and
 * writes their verdicts, batch by batch. While one batch is written, the next is judged and the one
 * after it is read. Each batch is saved with the id it ends at, so an interrupted run resumes
 * there. Two runs at once only do the work twice.
 */
export const runInput = ({ stored }: Audience) =>
  z.preprocess(
    withTree,
    z.strictObject({
      /** Null means all contacts. */
      audience: stored.nullable(),
      dns: z.boolean(),
      /** How many contacts there were at the start. */
      contacts: z.number(),
    }),
  );
export type RunInput = z.output<ReturnType<typeof runInput>>;

interface RunState {
  runId: number;
  /** Domains up to here have been looked up. Null when all have. */
  domainsAfter: string | null;
  domains: { asked: number; unknown: number };
  /** Contacts up to here have their verdict. */
  after: number;
  tally: RunTally;
  /** Absent until the run has ended and was told. */
  result?: VerificationResult;
}

/** Contacts per batch: a transaction of about a tenth of a second. */
const batch = 20_000;
const domainBatch = 2000;

export const phases = { domains: 'Looking up mail servers', judging: 'Judging addresses' } as const;

export interface RunParts {
  db: Database;
  mailServers: MailServers;
  audience: Audience;
}

export async function runVerification(
  parts: RunParts,
  context: TaskContext<RunInput>,
): Promise<Record<string, unknown>> {
  const { db } = parts;
  const { workspaceId, input } = context;
  const state = (context.state as RunState | null) ?? (await begin(parts, context));
  if (state.result) return { ...state.result };
  if (input.dns && state.domainsAfter !== null) await lookUpDomains(parts, context, state);
  await judgeContacts(parts, context, state);
  return db.asTenant(workspaceId, async (tx) => {
    const sharedMailboxes = await gatherSharedMailboxes(tx, workspaceId);
    const result: VerificationResult = {
      runId: state.runId,
      ...state.tally,
      sharedMailboxes,
      domains: input.dns ? state.domains : null,
    };
    await finishRun(tx, workspaceId, state.runId, { result, throughId: state.after });
    await tell(tx, parts.audience, context, result);
    await context.checkpoint(tx, { ...state, result });
    return { ...result };
  });
}

/** The record keeps the selection of a call, or the tree if no call could express it. */
const recorded = (audience: Audience, tree: Tree | null) =>
  tree && (audience.selection(tree) ?? { audience: tree });

async function begin({ db, audience }: RunParts, context: TaskContext<RunInput>): Promise<RunState> {
  const { workspaceId, taskId, input, actor } = context;
  return db.asTenant(workspaceId, async (tx) => {
    const runId = await beginRun(tx, workspaceId, {
      taskId,
      whole: input.audience === null,
      dns: input.dns,
      selection: recorded(audience, input.audience),
      startedBy: actor,
    });
    const state: RunState = {
      runId,
      domainsAfter: '',
      domains: { asked: 0, unknown: 0 },
      after: 0,
      tally: emptyTally(),
    };
    await context.checkpoint(tx, { ...state });
    return state;
  });
}

/** Looks the domains up in alphabetical order. The answers are stored for all workspaces. */
async function lookUpDomains(
  { db, mailServers, audience }: RunParts,
  context: TaskContext<RunInput>,
  state: RunState,
): Promise<void> {
  const { workspaceId, input, signal } = context;
  const total =
    input.audience === null
      ? await db.asTenant(workspaceId, async (tx) => (await selectCounts(tx, workspaceId)).domains)
      : null;
  for (let after = state.domainsAfter; after !== null; after = state.domainsAfter) {
    const from = after;
    const domains = await db.asTenant(workspaceId, async (tx) =>
      input.audience === null
        ? selectContactDomains(tx, workspaceId, from, domainBatch)
        : selectChosenDomains(
            tx,
            workspaceId,
            await audience.condition(tx, workspaceId, input.audience),
            from,
            domainBatch,
          ),
    );
    let done = state.domains.asked;
    const found = await mailServers.findAll(domains, {
      signal,
      onDone: (more) => {
        done += more;
        context.progress(done, total, phases.domains);
      },
    });
    signal.throwIfAborted();
    const unknown = [...found.values()].filter((one) => one.state === 'unknown').length;
    state.domains = { asked: state.domains.asked + domains.length, unknown: state.domains.unknown + unknown };
    state.domainsAfter = domains.length < domainBatch ? null : (domains.at(-1) ?? null);
    await db.asTenant(workspaceId, (tx) => context.checkpoint(tx, { ...state }));
  }
}

async function judgeContacts(
  { db, audience }: RunParts,
  context: TaskContext<RunInput>,
  state: RunState,
): Promise<void> {
  const { workspaceId, input, signal } = context;
  const { emailValidation } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  const thread = startJudgeThread(emailValidation);
  const read = (after: number) =>
    quiet(
      db.asTenant(workspaceId, async (tx) =>
        readContacts(tx, workspaceId, {
          after,
          limit: batch,
          chosen: await audience.condition(tx, workspaceId, input.audience ?? everybody),
          withMail: input.dns,
        }),
      ),
    );
  const write = (judged: JudgedRows) =>
    quiet(
      db.asTenant(workspaceId, async (tx) => {
        const suggestions = await writeVerdicts(tx, workspaceId, judged, {
          renewTimes: input.audience !== null,
        });
        addRows(state.tally, judged);
        state.tally.suggestions += suggestions;
        state.after = judged.lastId;
        await context.checkpoint(tx, { ...state });
        context.progress(
          state.tally.contacts,
          Math.max(input.contacts, state.tally.contacts),
          phases.judging,
        );
      }),
    );
  try {
    let reading = read(state.after);
    let writing = Promise.resolve();
    for (;;) {
      const rows = await reading;
      signal.throwIfAborted();
      if (rows.count === 0) break;
      reading = read(rows.lastId);
      const judged = await thread.judge(rows);
      await writing;
      writing = write(judged);
    }
    await writing;
  } finally {
    await thread.stop();
  }
}

/** The same promise. Whoever awaits it later handles its failure. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function tell(
  tx: Parameters<typeof recordAudit>[0],
  audience: Audience,
  { workspaceId, actor, input }: TaskContext<RunInput>,
  result: VerificationResult,
): Promise<void> {
  const { contacts, verdicts } = result;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.verified',
    subject: `verification:${result.runId}`,
    details: { contacts, verdicts, dns: input.dns, selection: recorded(audience, input.audience) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Contacts Verified',
    details: `${formatNumber(contacts)} verified: ${formatNumber(verdicts.risky ?? 0)} risky, ${formatNumber(verdicts.invalid ?? 0)} invalid`,
    status: 'completed',
    icon: 'shield-check',
    iconColor: 'primary',
    actor,
    subject: `verification:${result.runId}`,
  });
}
