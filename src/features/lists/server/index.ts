import { conditionOf, membershipsPort, segmentFieldOf } from '#features/memberships/server/index.ts';
import { segmentsPort } from '#features/segments/server/index.ts';
import { topicsPort } from '#features/tracking/server/index.ts';
import { filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import { listsEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { listsWords } from '../rules/words.ts';
import { countList, dynamicLists, meantBy } from './dynamic-lists.ts';
import { leftCondition } from './left-condition.ts';
import { listKind } from './list-kind.ts';
import { registerLists } from './routes.ts';
import { findRulesWith } from './rules-with.ts';
import { endWaitingForGone } from './topic-queries.ts';
import { personalLeavings, tellLeavings, topicsOf } from './topics.ts';
import { endWaitingLeavings } from './waiting-leavings.ts';

export { hasLeftLists } from './left-condition.ts';
export { listKind } from './list-kind.ts';

export const listsFeature: ServerFeature = {
  name: 'lists',
  contract: (all) => ({ ...contract, ...contract.listCalls(filtersOfAll(all)) }),
  words: listsWords,
  eventKinds: listsEvents,
  create({ db, use, offer, jobs, log }) {
    const memberships = use(membershipsPort);
    const segments = use(segmentsPort);
    memberships.add(listKind);
    offer(topicsPort, topicsOf(memberships));
    const dynamic = dynamicLists(segments, jobs, (error) =>
      log.warn({ err: error }, 'a dynamic list is not counted anew'),
    );
    return {
      routes: (router) => registerLists(router, db, memberships, dynamic),
      conditions: [
        conditionOf(listKind, (tx, workspaceId, ids) => meantBy(segments, tx, workspaceId, ids)),
        leftCondition,
      ],
      jobs: [countList(db, segments), endWaitingLeavings({ db, memberships })],
      contactEvents: { scope: 'contacts:read', tell: tellLeavings },
      personal: personalLeavings,
      nightly: [
        {
          name: 'lists.end-waiting-for-gone',
          run: (workspaceId) => db.asTenant(workspaceId, (tx) => endWaitingForGone(tx, workspaceId)),
        },
      ],
      findUses: findRulesWith,
      segmentFields: [segmentFieldOf(listKind, { key: 'list', label: 'List', noun: 'list' })],
    };
  },
};
