import { mailPort } from '#features/mail/server/index.ts';
import { signInPort } from '#features/sign-in/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { accountWords } from '../rules/words.ts';
import { registerAccount } from './routes.ts';

/** A person's own account: name, address, second factor, and where they are signed in. */
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
