import { audiencePort } from '#features/audience/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { type LastActivity, segmentConditions } from './conditions.ts';
import { type Fields, gatherFields } from './fields.ts';
import { registerSegments } from './routes.ts';
import { openSegments, type Segments } from './segments.ts';

export { dayOf } from './conditions.ts';
export { type SegmentField, segmentField } from './fields.ts';
export type { Segments } from './segments.ts';
export { testSql } from './test-sql.ts';

/** Rules of segments, for features that keep them. */
export const segmentsPort = port<Segments>('segments.segments');

export const segmentsFeature: ServerFeature = { name: 'segments', contract, create };

function create({ db, use, offer }: FeatureContext): FeatureParts {
  // Nothing is known until the features' fields are gathered.
  let fields: Fields = gatherFields([]);
  let sources: readonly LastActivity[] = [];
  const segments = openSegments({ db, audience: use(audiencePort), fields: () => fields });
  offer(segmentsPort, segments);
  return {
    routes: (router) => registerSegments(router, segments),
    conditions: segmentConditions(() => sources),
    gather(all) {
      sources = all.flatMap(({ lastActivity }) => lastActivity ?? []);
      fields = gatherFields(
        all.flatMap(({ segmentFields = [] }) => segmentFields),
        sources,
      );
    },
  };
}
