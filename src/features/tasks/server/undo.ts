import { z } from 'zod';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { TaskContext, TaskDefinition } from '#platform/server/task-definition.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Task } from '../contract.ts';
import { type Undoable, undoStateOf } from '../rules/undoable.ts';

/*
 * Takes a change of many contacts back: a few thousand within the call, more as a task. What a
 * contact had before is put back in the transaction that takes the change away, so nothing is done
 * twice and an undo that broke off can be asked for again.
 */

/** A change as its undo sees it. */
interface Change extends Undoable {
  /** How many it changed, and how many of them have been put back. */
  contacts: number;
  undone: number;
}

interface Step {
  /** How many contacts were looked at, and how many of them were put back. */
  looked: number;
  undone: number;
}

interface UndoResult {
  undone: number;
  leftAsIs: number;
}

export interface ToldUndo extends UndoResult {
  changeId: number;
  /** How the task ended early, if it did. */
  end?: 'failed' | 'cancelled' | undefined;
  isTask: boolean;
}

/** How one kind of change is undone. */
export interface Undoing {
  /** The kind of the task. */
  kind: string;
  title: (count: number) => string;
  summary: (undone: number) => string;
  /** Where people find past changes. */
  link: string;
  /** What is said of a change that is too old. */
  tooOld: string;
  /** At most so many are put back within the call. */
  few: number;
  /** Whether it takes long all the same. */
  isLong?: (tx: TenantTx, workspaceId: number, changeId: number) => Promise<boolean>;
  /** The change, locked until the transaction ends. */
  lock: (tx: TenantTx, workspaceId: number, changeId: number) => Promise<Change | undefined>;
  /** Claims it for its undo, or lets go of it when the undo broke off. */
  mark: (tx: TenantTx, workspaceId: number, changeId: number, isUndone: boolean) => Promise<void>;
  /** Puts all back within this transaction. */
  whole: (tx: TenantTx, workspaceId: number, changeId: number) => Promise<Step>;
  /** Puts the next ones back. */
  piece: (tx: TenantTx, workspaceId: number, changeId: number) => Promise<Step & { isLast: boolean }>;
  /** How many of `count` contacts stay as they are. */
  leftOf: (count: number, step: Step) => number;
  tell: (tx: TenantTx, workspaceId: number, actor: string | null, told: ToldUndo) => Promise<void>;
}

interface Parts {
  db: Database;
  tasks: {
    start(workspaceId: number, kind: string, input: Record<string, unknown>, by: Caller): Promise<Task>;
  };
}

const undoInput = z.strictObject({ changeId: z.number(), count: z.number() });
type UndoInput = z.output<typeof undoInput>;

interface State extends Step {
  isDone?: boolean;
}

/** Undoes a change. Answers the task if that takes long. */
export async function undoChange(
  { db, tasks }: Parts,
  undoing: Undoing,
  workspaceId: number,
  caller: Caller,
  changeId: number,
): Promise<UndoResult | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const { contacts, undone } = await needUndoable(tx, undoing, workspaceId, changeId);
      const left = contacts - undone;
      if (left > undoing.few || (await undoing.isLong?.(tx, workspaceId, changeId))) return left;
      const result = resultOf(undoing, await undoing.whole(tx, workspaceId, changeId), left);
      await undoing.mark(tx, workspaceId, changeId, true);
      await undoing.tell(tx, workspaceId, caller.email, { changeId, ...result, isTask: false });
      return result;
    },
    answersCallWith('undone'),
  );
  if (typeof done !== 'number') return done;
  return tasks.start(workspaceId, undoing.kind, { changeId, count: done }, caller);
}

async function needUndoable(
  tx: TenantTx,
  { lock, tooOld }: Undoing,
  workspaceId: number,
  changeId: number,
): Promise<Change> {
  const change = await lock(tx, workspaceId, changeId);
  if (!change) throw new AppError('not_found', 'There is nothing to undo under this number.');
  const state = undoStateOf(change, new Date());
  if (state === 'changing')
    throw new AppError(
      'conflict',
      'These contacts are still being changed. Wait for the end, or cancel the task.',
    );
  if (state === 'undone') throw new AppError('conflict', 'This was undone already.');
  if (state === 'expired') throw new AppError('gone', tooOld);
  return change;
}

/** The task that undoes a large change. */
export const undoTaskOf = (db: Database, undoing: Undoing): TaskDefinition<UndoInput> => ({
  kind: undoing.kind,
  input: undoInput,
  title: ({ count }) => undoing.title(count),
  run: async (task) => ({ ...(await undoInPieces(db, undoing, task)) }),
  broken: async (task, { status }) => ({ ...(await breakOff(db, undoing, task, status)) }),
  summary: ({ undone }) => undoing.summary(Number(undone ?? 0)),
  link: () => undoing.link,
});

async function undoInPieces(
  db: Database,
  undoing: Undoing,
  context: TaskContext<UndoInput>,
): Promise<UndoResult> {
  const { workspaceId, input, actor, signal } = context;
  const { changeId, count } = input;
  let state = stored(context) ?? (await begin(db, undoing, context));
  while (!state.isDone) {
    signal.throwIfAborted();
    context.progress(state.looked, Math.max(count, state.looked));
    const before = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        const { looked, undone, isLast } = await undoing.piece(tx, workspaceId, changeId);
        const next: State = { looked: before.looked + looked, undone: before.undone + undone };
        if (isLast) {
          next.isDone = true;
          const result = resultOf(undoing, next, count);
          await undoing.tell(tx, workspaceId, actor, { changeId, ...result, isTask: true });
        }
        await context.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  context.progress(state.looked, state.looked);
  return resultOf(undoing, state, count);
}

const resultOf = ({ leftOf }: Undoing, step: Step, count: number): UndoResult => ({
  undone: step.undone,
  leftAsIs: Math.max(0, leftOf(count, step)),
});

/** What an older process has saved may lack how many were looked at. */
function stored({ state }: TaskContext<UndoInput>): State | null {
  const saved = state as (Omit<State, 'looked'> & { looked?: number }) | null;
  return saved && { looked: saved.undone, ...saved };
}

/** Claims the change, so that it is undone only once. */
const begin = (db: Database, undoing: Undoing, context: TaskContext<UndoInput>): Promise<State> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input } = context;
    await needUndoable(tx, undoing, workspaceId, input.changeId);
    await undoing.mark(tx, workspaceId, input.changeId, true);
    const state: State = { looked: 0, undone: 0 };
    await context.checkpoint(tx, { ...state });
    return state;
  });

/** What was put back stays. The rest can be asked for again. */
async function breakOff(
  db: Database,
  undoing: Undoing,
  context: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<UndoResult> {
  const { workspaceId, input, actor } = context;
  const { changeId, count } = input;
  const state = stored(context);
  if (!state) return { undone: 0, leftAsIs: 0 };
  const result = resultOf(undoing, state, count);
  if (state.isDone) return result;
  await db.asTenant(workspaceId, async (tx) => {
    await undoing.mark(tx, workspaceId, changeId, false);
    await undoing.tell(tx, workspaceId, actor, { changeId, ...result, end, isTask: true });
    await context.checkpoint(tx, { ...state, isDone: true });
  });
  return result;
}
