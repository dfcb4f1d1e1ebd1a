import type { TenantTx } from '#platform/server/database.ts';
import type { ViewChoices, ViewScreen } from '../contract.ts';
import { readViewState } from '../rules.ts';
import type { Person } from './person.ts';
import { selectChoices } from './queries.ts';

/** What a person chose for a screen. */
export async function choicesOf(tx: TenantTx, person: Person, screen: ViewScreen): Promise<ViewChoices> {
  const row = await selectChoices(tx, person.workspaceId, person.userId, screen);
  // Uses the same reader as views do, because the stored columns may come from another version.
  const { columns } = readViewState({ columns: row.columns }).state;
  return { defaultId: row.defaultId, columns: columns ?? null };
}
