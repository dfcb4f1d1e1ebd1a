import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { registerRollups } from './routes.ts';

export { checkBooks } from './check-books.ts';
export { contactsAdded, contactsGone, contactsReaddressed } from './count-contacts.ts';
export { eachDomain } from './domain-queries.ts';
export type { ImportedRows } from './import-counts.ts';
export { holdFigures } from './rollup-queries.ts';
export { sampledContacts } from './sampled-contacts.ts';
export { type Counts, selectCounts } from './stats-queries.ts';
export {
  adjustForAddresses,
  affectedCounts,
  blockDomain,
  blockDomains,
  contactsUnder,
  unblockDomain,
  unblockDomains,
} from './suppression-queries.ts';

export const rollupsFeature: ServerFeature = {
  name: 'rollups',
  contract,
  create: ({ db }) => ({ routes: (router) => registerRollups(router, db) }),
};
