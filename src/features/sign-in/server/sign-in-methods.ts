import type { Config, OidcConfig } from '#platform/server/config.ts';
import { AppError } from '#platform/shared/errors.ts';
import { isAdminAddress } from '../rules.ts';
import type { Db } from './queries.ts';
import type { Workplaces } from './workplaces.ts';

/** Who may come in for the first time, and whether with a password: the same for every way in. */

/** With SIGNUPS=invite, only invited people and the administrator may sign up. */
export async function mayJoin(
  db: Db,
  { config, workplaces }: { config: Pick<Config, 'signups' | 'adminEmail'>; workplaces: Workplaces },
  email: string,
): Promise<boolean> {
  const { signups, adminEmail } = config;
  return signups === 'open' || isAdminAddress(email, adminEmail) || workplaces.isInvited(db, email);
}

/** Throws if people can only come in through the identity provider. */
export function insistOnPasswords(oidc: Pick<OidcConfig, 'only' | 'name'> | undefined): void {
  if (!oidc?.only) return;
  throw new AppError('forbidden', `There are no passwords here. Sign in through ${oidc.name}.`);
}
