import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { tagKey } from '../rules.ts';
import { selectNamed } from './queries.ts';

/** The name of another tag is taken, in whatever case. Tells its number, so that it can be used. */
export function taken({ id, name }: { id: number; name: string }): AppError {
  const message = `There is a tag “${name}” already.`;
  return new AppError('already_exists', message, { fields: { name: message, id: String(id) } });
}

/** Throws `already_exists` when a tag has this name. */
export async function refuseTaken(
  tx: TenantTx,
  workspaceId: number,
  name: string,
  exceptId?: number,
): Promise<void> {
  const other = await selectNamed(tx, workspaceId, tagKey(name));
  if (other && other.id !== exceptId) throw taken(other);
}
