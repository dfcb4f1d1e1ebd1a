import type { ContactEventSource, ServerFeature } from '#platform/server/feature.ts';
import { timelineCalls } from '../contract.ts';
import { registerTimeline } from './routes.ts';

/** What happened to a contact, gathered from the features that record it. */
export const timelineFeature: ServerFeature = {
  name: 'timeline',
  contract: (all) => timelineCalls(kindsOf(all)),
  create({ db, features }) {
    let sources: ContactEventSource[] = [];
    return {
      gather(all) {
        sources = all.flatMap(({ contactEvents }) => contactEvents ?? []);
      },
      routes: (router) => registerTimeline(router, { db, sources, kinds: kindsOf(features) }),
    };
  },
};

const kindsOf = (features: readonly ServerFeature[]) => features.flatMap(({ eventKinds = [] }) => eventKinds);
