import type { ContactEventSource, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { registerTimeline } from './routes.ts';

/** What happened to a contact, gathered from the features that know. */
export const timelineFeature: ServerFeature = {
  name: 'timeline',
  contract,
  create({ db }) {
    let sources: ContactEventSource[] = [];
    return {
      gather(all) {
        sources = all.flatMap(({ contactEvents }) => contactEvents ?? []);
      },
      routes: (router) => registerTimeline(router, db, sources),
    };
  },
};
