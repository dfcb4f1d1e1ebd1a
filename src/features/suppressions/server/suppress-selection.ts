import { z } from 'zod';
import { recordActivity } from '#features/activities/server/index.ts';
import type { ContactSelection } from '#features/audience/contract.ts';
import { type AudienceRecord, withTree } from '#features/audience/rules/flat-filter.ts';
import { type Audience, selectChosen } from '#features/audience/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { whenFree } from '#platform/server/work/when-free.ts';
import { formatCount } from '#platform/shared/words.ts';
import { entriesInWords } from '../rules.ts';
import { pieceSize } from './lifting/lifting-pieces.ts';
import { selectNewest } from './lists/batch-queries.ts';
import { fewEntries, type WorkContext } from './piecework.ts';
import { theseContacts } from './queries.ts';
import { putContactsOnList } from './suppress-addresses.ts';

/**
 * Puts the addresses of chosen contacts on the list. A few thousand are done within the call, in
 * one transaction. More become a task that walks the contacts by id, one transaction per piece.
 * Contacts added after the call are left alone. Already suppressed contacts are skipped, so doing
 * a piece twice would add nothing.
 */
const suppressInput = ({ stored, asOf }: Audience) =>
  z.preprocess(withTree, z.strictObject({ audience: stored, count: z.number(), asOf: asOf.optional() }));
type SuppressInput = z.output<ReturnType<typeof suppressInput>>;

interface SuppressState {
  after: number;
  upTo: number;
  looked: number;
  added: number;
  isDone?: boolean;
}

const words = (added: number) =>
  `${entriesInWords('email', added)} ${added === 1 ? 'was' : 'were'} put on the suppression list`;

export const suppressTask = (parts: WorkContext): TaskDefinition<SuppressInput> => ({
  kind: 'suppressions.suppress',
  input: suppressInput(parts.audience),
  title: ({ count }) => `Suppress ${formatCount(count, 'contact')}`,
  run: (context) => suppressInPieces(parts, context),
  broken: (context, { status }) => breakOff(parts, context, status),
  summary: ({ suppressed }) => `${words(Number(suppressed ?? 0))}.`,
  link: () => '/suppressions',
});

/** Returns how many addresses are new on the list, or the task when that takes long. */
export async function suppressSelected(
  { db, tasks, audience }: WorkContext,
  workspaceId: number,
  caller: Caller,
  selection: ContactSelection,
): Promise<{ suppressed: number } | Task> {
  const tree = audience.of(selection);
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const count = await audience.count(tx, workspaceId, tree);
      if (count > fewEntries) return { count, asOf: await audience.now(tx, workspaceId, tree) };
      const contacts = await audience.ids(tx, workspaceId, tree);
      const suppressed = await putContactsOnList(tx, workspaceId, contacts, caller.email);
      await tell(tx, workspaceId, caller.email, { of: audience.record(tree), added: suppressed });
      return { suppressed };
    },
    answersCallWith('suppressed'),
  );
  if (!('count' in done)) return done;
  return tasks.start(workspaceId, 'suppressions.suppress', { audience: tree, ...done }, caller);
}

async function suppressInPieces(
  { db, audience }: WorkContext,
  context: TaskContext<SuppressInput>,
): Promise<{ suppressed: number }> {
  const { workspaceId, input, actor } = context;
  const { audience: tree, count, asOf } = input;
  let state = (context.state as SuppressState | null) ?? (await begin(db, context));
  while (!state.isDone) {
    context.progress(state.looked, Math.max(count, state.looked));
    const before: SuppressState = state;
    state = await whenFree(context, () =>
      db.asTenant(workspaceId, async (tx) => {
        const chosen = await audience.conditionForWalk(tx, workspaceId, tree, asOf);
        const ids = await selectChosen(tx, workspaceId, chosen, { ...before, limit: pieceSize });
        const next: SuppressState = { ...before, looked: before.looked + ids.length };
        next.after = ids.at(-1) ?? before.upTo;
        if (ids.length > 0) {
          next.added += await putContactsOnList(tx, workspaceId, theseContacts(ids), actor);
        } else {
          next.isDone = true;
          await tell(tx, workspaceId, actor, {
            of: audience.record(tree),
            added: before.added,
            isTask: true,
          });
        }
        await context.checkpoint(tx, { ...next });
        return next;
      }),
    );
  }
  context.progress(state.looked, state.looked);
  return { suppressed: state.added };
}

const begin = (db: Database, context: TaskContext<SuppressInput>): Promise<SuppressState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { contact: upTo } = await selectNewest(tx, context.workspaceId);
    const state: SuppressState = { after: 0, upTo, looked: 0, added: 0 };
    await context.checkpoint(tx, { ...state });
    return state;
  });

async function breakOff(
  { db, audience }: WorkContext,
  context: TaskContext<SuppressInput>,
  end: 'failed' | 'cancelled',
): Promise<{ suppressed: number }> {
  const { workspaceId, input, actor } = context;
  const state = context.state as SuppressState | null;
  if (!state) return { suppressed: 0 };
  const { added, isDone } = state;
  if (!isDone) {
    await db.asTenant(workspaceId, async (tx) => {
      await tell(tx, workspaceId, actor, { of: audience.record(input.audience), added, end, isTask: true });
      await context.checkpoint(tx, { ...state, isDone: true });
    });
  }
  return { suppressed: added };
}

async function tell(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: { of: AudienceRecord; added: number; end?: string; isTask?: boolean },
): Promise<void> {
  const { of, added, end, isTask = false } = told;
  if (added === 0) return;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'suppression.added_many',
    subject: 'suppressions',
    details: {
      added,
      reason: 'manual',
      ...of,
      ...(end ? { end } : {}),
    },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Emails Suppressed',
    details: words(added),
    status: end === 'failed' ? 'failed' : 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor,
    ...(isTask ? { link: '/suppressions', notify: true } : {}),
  });
}
