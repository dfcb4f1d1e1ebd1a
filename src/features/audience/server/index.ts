import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { indexRecentBlocks } from './index-blocks.ts';
import { registerAudience } from './routes.ts';
import { oneAtATime, searchIndexPort } from './search-indexer.ts';

export { hasId } from './named-queries.ts';
export { selectProfiles } from './profile-queries.ts';
export { searchIndexPort } from './search-indexer.ts';
export {
  conditionForWalk,
  conditionOf,
  countSelected,
  findSelected,
  selectedContacts,
} from './selection.ts';

export const audienceFeature: ServerFeature = { name: 'audience', contract, create };

function create({ db, log, offer }: FeatureContext): FeatureParts {
  const indexer = oneAtATime(
    () => indexRecentBlocks(db),
    (error) => log.warn({ err: error }, 'search blocks were not indexed'),
  );
  offer(searchIndexPort, indexer);
  return {
    routes: (router) => registerAudience(router, db),
    jobs: [
      {
        name: 'contacts.index-search',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => void (await indexRecentBlocks(db, { signal })),
      },
    ],
    start: indexer.soon,
    stop: indexer.idle,
  };
}
