import type { z } from 'zod';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { uses } from '../contract.ts';
import type { MembershipsContext } from './context.ts';
import type { GroupKind } from './group-kind.ts';

type Uses = z.output<typeof uses>;

/** What asks for a group by its number, of what the caller can see. */
export async function usesOf(
  { askers }: Pick<MembershipsContext, 'askers'>,
  tx: TenantTx,
  { workspaceId, caller }: { workspaceId: number; caller: Caller },
  { kind }: GroupKind,
  id: number,
): Promise<Uses> {
  const found: Uses = [];
  for (const find of askers()) {
    found.push(...((await find(tx, workspaceId, { condition: kind, id }, Number(caller.userId))) as Uses));
  }
  return found;
}
