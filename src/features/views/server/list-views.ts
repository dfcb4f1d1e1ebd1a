import type { TenantTx } from '#platform/server/database.ts';
import type { View, ViewChoices, ViewScreen } from '../contract.ts';
import { choicesOf } from './choices-of.ts';
import { present } from './find-view.ts';
import type { Person } from './person.ts';
import { selectViews } from './queries.ts';

/** The views that a person sees, and what they chose. */
export async function listViews(
  tx: TenantTx,
  person: Person,
  screen: ViewScreen,
): Promise<ViewChoices & { items: View[] }> {
  const rows = await selectViews(tx, person.workspaceId, person.userId, screen);
  return { items: rows.map((row) => present(row, person)), ...(await choicesOf(tx, person, screen)) };
}
