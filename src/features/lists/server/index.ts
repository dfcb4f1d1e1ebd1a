import { conditionOf, membershipsPort, segmentFieldOf } from '#features/memberships/server/index.ts';
import { segmentsPort } from '#features/segments/server/index.ts';
import { filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { listsWords } from '../rules/words.ts';
import { countList, dynamicLists, meantBy } from './dynamic-lists.ts';
import { listKind } from './list-kind.ts';
import { registerLists } from './routes.ts';
import { findRulesWith } from './rules-with.ts';

export { listKind } from './list-kind.ts';

export const listsFeature: ServerFeature = {
  name: 'lists',
  contract: (all) => ({ ...contract, ...contract.listCalls(filtersOfAll(all)) }),
  words: listsWords,
  create({ db, use, jobs, log }) {
    const memberships = use(membershipsPort);
    const segments = use(segmentsPort);
    memberships.add(listKind);
    const dynamic = dynamicLists(segments, jobs, (error) =>
      log.warn({ err: error }, 'a dynamic list is not counted anew'),
    );
    return {
      routes: (router) => registerLists(router, db, memberships, dynamic),
      conditions: [conditionOf(listKind, (tx, workspaceId, ids) => meantBy(segments, tx, workspaceId, ids))],
      jobs: [countList(db, segments)],
      findUses: findRulesWith,
      segmentFields: [
        segmentFieldOf(listKind, {
          ...{ key: 'list', label: 'List', noun: 'list' },
          whyAbsent: 'It fills itself by rules, was deleted, or never was.',
        }),
      ],
    };
  },
};
