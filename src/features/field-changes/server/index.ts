import { audiencePort } from '#features/audience/server/index.ts';
import { tasksPort, undoTaskOf } from '#features/tasks/server/index.ts';
import {
  type FeatureContext,
  type FeatureParts,
  filtersOfAll,
  type ServerFeature,
} from '#platform/server/feature.ts';
import { fieldChangesEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { fieldChangesWords } from '../rules/words.ts';
import { tellEvents } from './contact-events.ts';
import { personal } from './personal.ts';
import { purge } from './purge.ts';
import { registerFieldChanges } from './routes.ts';
import { setTask } from './set-fields.ts';
import { fieldsUndo } from './undo-change.ts';

export const fieldChangesFeature: ServerFeature = {
  name: 'field-changes',
  contract: (all) => ({ ...contract, ...contract.fieldChangeCalls(filtersOfAll(all)) }),
  words: fieldChangesWords,
  eventKinds: fieldChangesEvents,
  create,
};

function create({ db, use }: FeatureContext): FeatureParts {
  const context = { db, tasks: use(tasksPort), audience: use(audiencePort) };
  return {
    routes: (router) => registerFieldChanges(router, context),
    tasks: [setTask(context), undoTaskOf(db, fieldsUndo)],
    contactEvents: { scope: 'contacts:read', tell: tellEvents },
    personal,
    nightly: [
      { name: 'contacts.forget-field-changes', run: (workspaceId, signal) => purge(db, workspaceId, signal) },
    ],
  };
}
