import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';

export { idna } from './idna.ts';
export { accuracyOfLabelledSet, type LabelledMiss, type LabelledSetAccuracy } from './labelled-set.ts';

/** Rules and lists for other features. It runs nothing by itself. */
export const addressesFeature: ServerFeature = { name: 'addresses', contract };
