import {
  type FeatureContext,
  type FeatureParts,
  filtersOfAll,
  type ServerFeature,
} from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { type Audience, openAudience } from './audience.ts';
import { type AnyCondition, type Conditions, gatherConditions } from './condition.ts';
import { indexRecentBlocks, oneAtATime, searchIndexPort } from './index-blocks.ts';
import { ownConditions } from './own-conditions.ts';
import { registerAudience } from './routes.ts';

export type { AsOf } from './as-of.ts';
export { type Audience, audienceOf } from './audience.ts';
export {
  type AnyCondition,
  type ContactIndex,
  condition,
  domainCondition,
  listedCondition,
  type Scope,
  type Unlisted,
} from './condition.ts';
export { searchIndexPort } from './index-blocks.ts';
export { selectChosen, selectLastId } from './list-queries.ts';
export { domainOf, hasId } from './own-conditions.ts';
export { listFields } from './sources.ts';
export { countInTurn } from './turns.ts';

/** Who is meant, for features that act on them. */
export const audiencePort = port<Audience>('audience.audience');

export const audienceFeature: ServerFeature = {
  name: 'audience',
  contract: (all) => ({ ...contract, ...contract.audienceCalls(filtersOfAll(all)) }),
  create,
};

function create({ db, log, offer, features }: FeatureContext): FeatureParts {
  // No condition is known until the features' conditions are gathered. Every selection is refused
  // until then.
  let conditions: Conditions = new Map();
  const filters = filtersOfAll(features);
  const audience = openAudience(() => conditions, filters);
  offer(audiencePort, audience);
  const indexer = oneAtATime(
    () => indexRecentBlocks(db),
    (error) => log.warn({ err: error }, 'search blocks were not indexed'),
  );
  offer(searchIndexPort, indexer);
  return {
    routes: (router) => registerAudience(router, db, audience),
    conditions: ownConditions,
    gather(all) {
      const contributed = all.flatMap((parts) => parts.conditions ?? []);
      conditions = gatherConditions(contributed as AnyCondition[], filters);
    },
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
