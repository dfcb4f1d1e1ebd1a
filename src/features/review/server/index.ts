import { binPort } from '#features/bin/server/index.ts';
import { tasksPort } from '#features/tasks/server/index.ts';
import { addressChangesPort, topicsPort } from '#features/tracking/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { reviewEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { reviewWords } from '../rules/words.ts';
import { addressChanges } from './change-by-reader.ts';
import { tellEvents } from './contact-events.ts';
import { correctionTasks } from './correction-tasks.ts';
import { personal } from './personal.ts';
import { registerReview } from './routes.ts';

export { selectFormerContacts } from './history/former-queries.ts';

export const reviewFeature: ServerFeature = {
  name: 'review',
  contract,
  words: reviewWords,
  eventKinds: reviewEvents,
  create,
};

function create({ db, use, find, offer }: FeatureContext): FeatureParts {
  offer(addressChangesPort, addressChanges);
  const topics = () => find(topicsPort);
  const options = { db, tasks: use(tasksPort), bin: use(binPort), topics };
  return {
    routes: (router) => registerReview(router, options),
    tasks: correctionTasks(options),
    contactEvents: { scope: 'contacts:read', tell: tellEvents },
    personal,
  };
}
