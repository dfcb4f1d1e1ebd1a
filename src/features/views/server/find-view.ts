import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { View } from '../contract.ts';
import { readViewState } from '../rules.ts';
import type { Person } from './person.ts';
import { selectView, type ViewRow } from './queries.ts';

/** A view that a person sees, as the database holds it. Throws `not_found`. */
export async function needView(tx: TenantTx, person: Person, id: number): Promise<ViewRow> {
  const row = await selectView(tx, person.workspaceId, person.userId, id);
  if (!row) throw new AppError('not_found', 'This view is not there any more. Reload the page.');
  return row;
}

/** A view that a person sees, as they see it. Throws `not_found`. */
export const findView = async (tx: TenantTx, person: Person, id: number): Promise<View> =>
  present(await needView(tx, person, id), person);

/** A stored view as a person sees it. */
export const present = (
  { ownerId, state, createdAt, updatedAt, updatedById, updatedBy, ...row }: ViewRow,
  person: Person,
): View => ({
  ...row,
  isOwn: ownerId === person.userId,
  ...readViewState(state),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
