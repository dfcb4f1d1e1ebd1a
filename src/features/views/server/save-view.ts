import type { TenantTx } from '#platform/server/database.ts';
import type { View, ViewScreen, ViewState } from '../contract.ts';
import { plainState } from '../rules.ts';
import { findView } from './find-view.ts';
import { note, tellShared } from './note-and-tell.ts';
import { needEditor, type Person } from './person.ts';
import { insertView, lockChoices, updateDefault } from './queries.ts';
import { refuseTooMany } from './refuse-too-many.ts';
import { checkedName, named } from './view-names.ts';

/**
 * Stores what a screen shows under a name. Throws `forbidden`, `invalid_input`, `already_exists` or
 * `conflict`.
 */
export async function saveView(
  tx: TenantTx,
  person: Person,
  given: { screen: ViewScreen; name: string; shared: boolean; isDefault: boolean; state: ViewState },
): Promise<View> {
  const { workspaceId, userId } = person;
  const { screen, shared } = given;
  const name = checkedName(given.name);
  if (shared) needEditor(person);
  await lockChoices(tx, workspaceId, userId, screen);
  await refuseTooMany(tx, workspaceId, userId, screen);
  const state = plainState(given.state);
  const id = await named(name, shared, () =>
    insertView(tx, workspaceId, { screen, ownerId: userId, name, shared, state }),
  );
  if (given.isDefault) await updateDefault(tx, workspaceId, userId, screen, id);
  await note(tx, person, 'view.created', id, { name, shared });
  if (shared) await tellShared(tx, person, { id, name, state });
  return findView(tx, person, id);
}
