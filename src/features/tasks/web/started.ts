import type { EndpointDefinition, ResponseOf } from '#platform/shared/contract.ts';
import type { StartedTask } from '../contract.ts';

/** What a call answers when its work is done. */
export type BodyOf<D extends EndpointDefinition> = Exclude<ResponseOf<D>, StartedTask>;

/**
 * How work ended. `body` is what the call answers; of work that was broken off, what was done
 * before, if anything was.
 */
export type Outcome<Body> =
  | { status: 'completed'; body: Body }
  | { status: 'failed' | 'cancelled'; body: Partial<Body> | null; message: string };

export interface Started<Body> {
  /** Null when it was so little that it is done already. */
  taskId: number | null;
  /**
   * Never rejects: what can go wrong is in the outcome. Stays pending while the server cannot be
   * reached.
   */
  outcome: Promise<Outcome<Body>>;
}
