import type { TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';
import type { SoftRow } from './queries.ts';

/** What the feature that sends tells of its mailings, and does with them. */
export interface BouncedMailings {
  /**
   * Whether a server has taken a message to the address since then, other than those of these
   * mailings, which came back.
   */
  hasReached(
    tx: TenantTx,
    workspaceId: number,
    address: { local: string; domain: string },
    row: SoftRow,
  ): Promise<boolean>;
}

export const bouncedMailingsPort = port<BouncedMailings>('bounces.mailings');
