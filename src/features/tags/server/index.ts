import { conditionOf, membershipsPort, segmentFieldOf } from '#features/memberships/server/index.ts';
import { filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { tagsWords } from '../rules/words.ts';
import { registerTags } from './routes.ts';
import { tagKind } from './tag-kind.ts';

export { tagKind } from './tag-kind.ts';

export const tagsFeature: ServerFeature = {
  name: 'tags',
  contract: (all) => ({ ...contract, ...contract.tagCalls(filtersOfAll(all)) }),
  words: tagsWords,
  create({ db, use }) {
    const memberships = use(membershipsPort);
    memberships.add(tagKind);
    return {
      routes: (router) => registerTags(router, db, memberships),
      conditions: [conditionOf(tagKind)],
      segmentFields: [segmentFieldOf(tagKind, { key: 'tags', label: 'Tags', noun: 'tag' })],
    };
  },
};
