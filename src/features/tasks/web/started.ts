import type { EndpointDefinition, ResponseOf } from '#platform/shared/contract.ts';
import type { StartedTask } from '../contract.ts';

/** What a call answers when its work is done. */
export type BodyOf<D extends EndpointDefinition> = Exclude<ResponseOf<D>, StartedTask>;

/** How work ended that was not all done, as far as this page knows. */
export interface NotCompleted {
  status: 'failed' | 'cancelled';
  message: string;
  /** This page may not see the work any more, which may still go on or have succeeded. */
  isUnknown?: true;
}

/**
 * How work ended. `body` is the call's answer. For interrupted work, it is what was done before, if
 * anything was.
 */
export type Outcome<Body> =
  | { status: 'completed'; body: Body }
  | (NotCompleted & { body: Partial<Body> | null });

export interface Started<Body> {
  /** Null when there was so little work that it is already done. */
  taskId: number | null;
  /**
   * Never rejects: the outcome contains what went wrong. Stays pending while the server is
   * unreachable. Failed, too, once this page may not see the work any more: then `isUnknown`.
   */
  outcome: Promise<Outcome<Body>>;
}
