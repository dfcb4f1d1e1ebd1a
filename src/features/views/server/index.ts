import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { viewsWords } from '../rules/words.ts';
import { selectUses } from './queries.ts';
import { registerViews } from './routes.ts';

export const viewsFeature: ServerFeature = {
  name: 'views',
  contract,
  words: viewsWords,
  create: ({ db }) => ({ routes: (router) => registerViews(router, db), findUses: selectUses }),
};
