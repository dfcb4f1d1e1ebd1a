import { conditionOf, membershipsPort, segmentFieldOf } from '#features/memberships/server/index.ts';
import { filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { listsWords } from '../rules/words.ts';
import { listKind } from './list-kind.ts';
import { registerLists } from './routes.ts';

export { listKind } from './list-kind.ts';

export const listsFeature: ServerFeature = {
  name: 'lists',
  contract: (all) => ({ ...contract, ...contract.listCalls(filtersOfAll(all)) }),
  words: listsWords,
  create({ db, use }) {
    const memberships = use(membershipsPort);
    memberships.add(listKind);
    return {
      routes: (router) => registerLists(router, db, memberships),
      conditions: [conditionOf(listKind)],
      segmentFields: [segmentFieldOf(listKind, { key: 'list', label: 'List', noun: 'list' })],
    };
  },
};
