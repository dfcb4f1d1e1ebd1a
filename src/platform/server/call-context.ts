import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantTx } from './transaction.ts';

/**
 * What a connection is for. Each purpose has its own pool, so none can use up the others'
 * connections: `interactive` for calls that somebody waits for, `background` for tasks, jobs and
 * imports, `streams` for exports and other reads that last as long as their reader, `public` for
 * calls from strangers (tracking and unsubscribing).
 */
export const purposes = ['interactive', 'background', 'streams', 'public'] as const;
export type Purpose = (typeof purposes)[number];

/** Who makes a call. */
export interface CallerContext {
  /** The person or the API key. */
  readonly person?: string;
  /** Aborted when the caller hangs up. */
  readonly gone?: () => AbortSignal;
}

/**
 * What code can learn anywhere about the call or background work it runs for. A call's context
 * reaches everything the call starts. Work that outlives the call starts with `inBackground`.
 */
interface CallContext extends CallerContext {
  /** Whose connections the work uses. */
  readonly purpose: Purpose;
  /** The workspace that uses them, if there is one. */
  readonly workspaceId?: number;
  /** True inside a transaction: the call holds a connection and must not wait for a second one. */
  readonly holdsConnection?: true;
  /**
   * Called at the end of each transaction of a workspace, inside it, with the call's answer if it
   * is known.
   */
  readonly beforeCommit?: BeforeCommit;
}

export type BeforeCommit = (
  tx: TenantTx,
  workspaceId: number,
  answer: CallAnswer | undefined,
) => Promise<void>;

/** A call's answer, known in the transaction that does its work. */
export interface CallAnswer {
  /** Absent: the endpoint's own status. */
  status?: number;
  body: unknown;
  /** True: the work has only begun, and this is the answer if the call gets no further. */
  isInterim?: true;
}

const store = new AsyncLocalStorage<CallContext>();

/** Without a call, the work counts as background work. */
const outside: CallContext = { purpose: 'background' };

export const currentContext = (): CallContext => store.getStore() ?? outside;

/** Runs a call that somebody waits for. The surrounding context does not reach it. */
export const inCall = <T>(work: () => T): T => store.run({ purpose: 'interactive' }, work);

/** Runs `work` with a changed context. */
export const withContext = <T>(change: Partial<CallContext>, work: () => T): T =>
  store.run({ ...currentContext(), ...change }, work);

/**
 * Starts work that no call waits for, or that continues after its call. The call's context does not
 * reach it.
 */
export const inBackground = <T>(work: () => T): T => store.run(outside, work);
