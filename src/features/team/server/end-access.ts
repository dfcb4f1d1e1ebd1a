import { sql } from 'kysely';
import { revokeKeysOf } from '#features/api-keys/server/index.ts';
import type { Workplaces } from '#features/sign-in/server/index.ts';
import { type TenantTx, tenantStatement } from '#platform/server/database.ts';
import { endInvitationsOf } from './end-invitations.ts';
import { selectMembers } from './member-queries.ts';
import { lockWorkspace, selectWorkspaces } from './workspace-queries.ts';

/**
 * Ends the API keys and invitations of somebody whose account passes to the owner of its mailbox,
 * and names everybody else who works in the workspaces of that account. They stay members: whether
 * they belong there is for the owner to say.
 */
export const endAccessGiven: Workplaces['endAccessGiven'] = async (tx, person) => {
  let apiKeys = 0;
  let invitations = 0;
  const shared: { workspace: string; others: string[] }[] = [];
  const theirs = (await selectWorkspaces(tx, person.userId)).sort((a, b) => a.id - b.id);
  for (const { id, name } of theirs) {
    await sql.raw(tenantStatement(id)).execute(tx);
    const tenantTx = tx as TenantTx;
    await lockWorkspace(tx, id);
    apiKeys += await revokeKeysOf(tenantTx, id, person, person);
    invitations += await endInvitationsOf(tenantTx, { workspaceId: id, email: person.email }, person, null);
    const others = (await selectMembers(tx, id)).filter(({ userId }) => userId !== person.userId);
    if (others.length > 0) shared.push({ workspace: name, others: others.map(({ email }) => email) });
  }
  return { apiKeys, invitations, shared };
};
