import type { TenantTx } from '#platform/server/database.ts';
import type { ViewChoices, ViewScreen } from '../contract.ts';
import { plainColumns } from '../rules.ts';
import { choicesOf } from './choices-of.ts';
import { needView } from './find-view.ts';
import type { Person } from './person.ts';
import { lockChoices, updateColumns, updateDefault } from './queries.ts';

/** Stores which view opens first for a person, and which columns they usually see. */
export async function chooseView(
  tx: TenantTx,
  person: Person,
  screen: ViewScreen,
  wanted: { defaultId?: number | null | undefined; columns?: string[] | null | undefined },
): Promise<ViewChoices> {
  const { workspaceId, userId } = person;
  const { defaultId, columns } = wanted;
  await lockChoices(tx, workspaceId, userId, screen);
  if (defaultId !== undefined) {
    if (defaultId !== null) await needView(tx, person, defaultId);
    await updateDefault(tx, workspaceId, userId, screen, defaultId);
  }
  if (columns !== undefined) {
    await updateColumns(tx, workspaceId, userId, screen, columns && plainColumns(columns));
  }
  return choicesOf(tx, person, screen);
}
