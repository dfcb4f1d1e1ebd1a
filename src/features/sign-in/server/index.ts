import { mailPort } from '#features/mail/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { freePlan } from '../rules/plan.ts';
import { signInWords } from '../rules/words.ts';
import type { RateLimits } from './auth.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import type { Workplaces } from './workplaces.ts';

export { limitAttempts } from './attempts.ts';
export { sendEmailChange, sendEmailProof, takeEmailProof } from './proofs.ts';
export { selectSessions as sessionsOf, setActiveWorkspace as workIn } from './session-queries.ts';
export type { SignIn } from './sign-in.ts';
export {
  liftSuspension,
  markSuspended as suspend,
  updateName as rename,
} from './user-queries.ts';
export { accountOf, endSession, endSessions, giveEmail, recordForUser } from './users.ts';
export type { Workplaces } from './workplaces.ts';

/** Who is signed in, and the ways to confirm it, for the features about people. */
export const signInPort = port<SignIn>('sign-in');
/** Where people are at work. The feature that keeps workspaces provides it. */
export const workplacesPort = port<Workplaces>('sign-in.workplaces');
/** Limits of sign-ins and similar calls, if they differ from the configuration. */
export const rateLimitsPort = port<Partial<RateLimits>>('sign-in.rate-limits');

export const signInFeature: ServerFeature = {
  name: 'sign-in',
  contract,
  words: signInWords,
  create,
};

function create({ db, config, log, use, find, offer }: FeatureContext): FeatureParts {
  const { signIns, signUps } = config.limits;
  const signIn = createSignIn({
    database: db,
    config,
    log,
    mail: use(mailPort),
    workplaces: use(workplacesPort),
    rateLimits: { signIns, signUps, ...find(rateLimitsPort) },
  });
  offer(signInPort, signIn);
  return {
    authenticate: signIn.authenticate,
    routes: signIn.register,
    jobs: [
      {
        name: 'sign-in.renew-factors',
        schedule: '37 3 * * *',
        handler: (_data, { signal }) => signIn.renewFactors(signal),
      },
    ],
    planPrices: { [freePlan]: 0 },
    stop: signIn.close,
  };
}
