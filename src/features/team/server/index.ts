import { linksHiddenPort, mailPort } from '#features/mail/server/index.ts';
import { signInPort, workplacesPort } from '#features/sign-in/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import * as contract from '../contract.ts';
import { teamWords } from '../rules/words.ts';
import { linksHidden } from './invitations.ts';
import { registerTeam } from './routes.ts';
import { selectWorkspaceIds } from './workspace-queries.ts';
import { createWorkspaces } from './workspaces.ts';

export { memberAddresses } from './member-queries.ts';

/**
 * The people to work with: workspaces, their members, and invitations. It is created before the
 * sign-in feature, because everybody who comes in needs a workspace at once.
 */
export const teamFeature: ServerFeature = {
  name: 'team',
  contract,
  words: teamWords,
  create,
};

function create({ db, log, use, offer }: FeatureContext): FeatureParts {
  const workspaces = createWorkspaces(log);
  offer(workplacesPort, workspaces);
  offer(linksHiddenPort, linksHidden);
  offer(workspacesPort, () => selectWorkspaceIds(db.system));
  return {
    routes: (router) =>
      registerTeam(router, { db, mail: use(mailPort), signIn: use(signInPort), workspaces }),
  };
}
