import type { SendKey } from '#features/tracking/server/index.ts';
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
  /** The last message to each of the addresses that left within so many days. */
  latestTo(
    tx: TenantTx,
    workspaceId: number,
    addresses: readonly { local: string; domain: string }[],
    days: number,
  ): Promise<(SendKey & { local: string; domain: string })[]>;
  /** How many messages of the mailing mail servers have answered. 0 when it is not under way. */
  handled(tx: TenantTx, workspaceId: number, mailingId: number): Promise<number>;
  /** Nothing more of it leaves. */
  pause(tx: TenantTx, workspaceId: number, mailingId: number, notice: string): Promise<void>;
}

export const bouncedMailingsPort = port<BouncedMailings>('bounces.mailings');
