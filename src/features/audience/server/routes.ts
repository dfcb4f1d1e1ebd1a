import type { Database } from '#platform/server/database.ts';
import { goneSignal, type Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import type { Audience } from './audience.ts';
import { listPage } from './list.ts';
import { listFields, listSources } from './sources.ts';
import { countInTurn } from './turns.ts';

export function registerAudience(router: Router, db: Database, audience: Audience): void {
  const { listContacts, countSelection } = contract.audienceCalls(audience.filters);
  router.handle(listContacts, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listPage(audience, tx, workspaceId, query)),
  );
  router.handle(countSelection, async ({ workspaceId, body, reply }) => {
    const signal = goneSignal(reply);
    const tree = audience.of(body);
    const count = () => db.asTenant(workspaceId, (tx) => audience.count(tx, workspaceId, tree), { signal });
    return { count: await countInTurn(workspaceId, count, signal) };
  });
  router.handle(contract.listSources, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => listSources(tx, workspaceId)),
  );
  router.handle(contract.listFields, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => listFields(tx, workspaceId)),
  );
}
