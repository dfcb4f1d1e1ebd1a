import { audiencePort } from '#features/audience/server/index.ts';
import { tasksPort, undoTaskOf } from '#features/tasks/server/index.ts';
import {
  type FeatureContext,
  type FeatureParts,
  filtersOfAll,
  type ServerFeature,
} from '#platform/server/feature.ts';
import { basisEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { basisWords } from '../rules/words.ts';
import { setTask } from './changes/set-many.ts';
import { basisUndo } from './changes/undo-change.ts';
import { basisCondition } from './condition.ts';
import { tellEvents } from './contact-events.ts';
import { basisFollower } from './follow-contacts.ts';
import { basisPersonal } from './personal.ts';
import { purge } from './purge.ts';
import { registerBasis } from './routes.ts';
import { basisField } from './segment-field.ts';

export { refuseUntrue } from './changes/said.ts';
export { holdBases } from './count-queries.ts';
export { countImportedBases, sayImported, takeBackImported } from './import-bases.ts';
export { mayBeMailed, mayBeMailedNow } from './may-be-mailed.ts';
export { readMailable } from './settings.ts';

export const basisFeature: ServerFeature = {
  name: 'basis',
  contract: (all) => ({ ...contract, ...contract.basisCalls(filtersOfAll(all)) }),
  words: basisWords,
  eventKinds: basisEvents,
  create,
};

function create({ db, use }: FeatureContext): FeatureParts {
  const context = { db, tasks: use(tasksPort), audience: use(audiencePort) };
  return {
    routes: (router) => registerBasis(router, context),
    tasks: [setTask(context), undoTaskOf(db, basisUndo)],
    conditions: [basisCondition],
    segmentFields: [basisField],
    contactEvents: { scope: 'contacts:read', tell: tellEvents },
    contactFollower: basisFollower,
    personal: basisPersonal,
    nightly: [{ name: 'basis.forget-gone', run: (workspaceId, signal) => purge(db, workspaceId, signal) }],
  };
}
