import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantTx } from './transaction.ts';

/**
 * What a connection is for. Each has a pool of its own, so that none takes the others' connections:
 * `interactive` for calls that somebody waits for, `background` for tasks, jobs and imports,
 * `streams` for exports and other reads that last as long as their reader, `public` for what
 * strangers call: tracking and unsubscribing.
 */
export const purposes = ['interactive', 'background', 'streams', 'public'] as const;
export type Purpose = (typeof purposes)[number];

/**
 * What is known, wherever the code is, of the call or the background work that it runs for. A
 * call's context reaches whatever the call starts; work that outlives the call is started
 * `inBackground`.
 */
interface CallContext {
  /** Whose connections the work takes. */
  readonly purpose: Purpose;
  /** The workspace that takes them, where one does. */
  readonly workspaceId?: number;
  /** True inside a transaction: the call holds a connection, and may not wait for a second one. */
  readonly holdsConnection?: true;
  /**
   * Called at the end of each transaction of a workspace, in it, with the call's answer where it is
   * known.
   */
  readonly beforeCommit?: BeforeCommit;
}

export type BeforeCommit = (
  tx: TenantTx,
  workspaceId: number,
  answer: CallAnswer | undefined,
) => Promise<void>;

/** What a call answers, known in the transaction that does its work. */
export interface CallAnswer {
  /** The endpoint's own when absent. */
  status?: number;
  body: unknown;
  /** True: what may be said of work that has only begun, should the call get no further. */
  isInterim?: true;
}

const store = new AsyncLocalStorage<CallContext>();

/** What nobody called for is background work. */
const outside: CallContext = { purpose: 'background' };

export const currentContext = (): CallContext => store.getStore() ?? outside;

/** Runs a call that somebody waits for. Nothing reaches it of the context in which it came in. */
export const inCall = <T>(work: () => T): T => store.run({ purpose: 'interactive' }, work);

/** Runs `work` with a changed context. */
export const withContext = <T>(change: Partial<CallContext>, work: () => T): T =>
  store.run({ ...currentContext(), ...change }, work);

/**
 * Starts work that nobody's call waits for, or that goes on after it: nothing of the call's context
 * reaches it.
 */
export const inBackground = <T>(work: () => T): T => store.run(outside, work);
