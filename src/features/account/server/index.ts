import { mailPort } from '#features/mail/server/index.ts';
import { signInPort } from '#features/sign-in/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { accountWords } from '../rules/words.ts';
import { registerAccount } from './routes.ts';

/** One's own account: name, address, second factor, and where one is signed in. */
export const accountFeature: ServerFeature = {
  name: 'account',
  contract,
  words: accountWords,
  create,
};

function create({ db, use }: FeatureContext): FeatureParts {
  const parts = { db, mail: use(mailPort), signIn: use(signInPort) };
  return { routes: (router) => registerAccount(router, parts) };
}
