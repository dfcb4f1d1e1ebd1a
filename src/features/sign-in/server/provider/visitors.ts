import type { Mailer } from '#features/mail/server/index.ts';
import { sqlState } from '#platform/server/database.ts';
import { connectingProblem, keysOf, type ProviderIdentity, welcomeOf } from '../../rules/provider.ts';
import type { AuthDatabase } from '../auth-database.ts';
import type { Db } from '../queries.ts';
import { selectSessions } from '../session-queries.ts';
import {
  type AccountRow,
  isSuspended,
  lockUser,
  selectAccount,
  selectAccountByEmail,
  updateEmail,
} from '../user-queries.ts';
import { recordForUser } from '../users.ts';
import { ensureWorkplace, type Workplaces } from '../workplaces.ts';
import { NotLetIn } from './client.ts';
import { hasIdentity, insertIdentity, insertUser, selectHolder } from './queries.ts';

/**
 * What happens to somebody whom the provider has named: which account they get into. Everything
 * written for that (account, workspace, connection, audit log, mail) is written together or not at
 * all. The session comes after.
 */
export interface VisitorParts {
  db: AuthDatabase;
  mail: Mailer;
  workplaces: Workplaces;
  provider: { issuer: string; name: string; only: boolean };
  /** Whether this address may sign up. */
  mayJoin: (db: Db, email: string) => Promise<boolean>;
}

/** For somebody who came to sign in. */
export function receive(parts: VisitorParts, identity: ProviderIdentity): Promise<AccountRow> {
  return together(parts, (tx) => welcome(parts, tx, identity));
}

/**
 * For somebody signed in who wants to sign in this way from now on. Refused when their session has
 * ended meanwhile.
 */
export function connect(
  parts: VisitorParts,
  { userId, sessionId }: { userId: number; sessionId: number },
  identity: ProviderIdentity,
): Promise<AccountRow> {
  return together(parts, async (tx) => {
    await lockUser(tx, userId);
    if (await isSuspended(tx, userId)) throw new NotLetIn('suspended');
    // A new password may have been set while they were at the provider. That ended the session,
    // with the user locked, and what was begun in it must not open another way in.
    if (!(await selectSessions(tx, userId)).some(({ id }) => id === sessionId)) throw new NotLetIn('expired');
    const holder = await selectHolder(tx, identity.key);
    const hasOther = !holder && (await hasIdentity(tx, userId, keysOf(parts.provider.issuer)));
    const problem = connectingProblem({ holderId: holder?.id ?? null, userId, hasOtherIdentity: hasOther });
    if (problem !== null) throw new NotLetIn(problem);
    const account = await accountIn(tx, userId);
    if (!holder) await giveIdentity(parts, tx, account, identity);
    return confirmAddress(tx, account, identity);
  });
}

/**
 * A person who comes twice at the same moment is created once. The second attempt finds what the
 * first has made.
 */
async function together(
  { db, mail }: VisitorParts,
  work: (tx: Db) => Promise<AccountRow>,
): Promise<AccountRow> {
  const attempt = () => db.transaction().execute(work);
  const account = await attempt().catch((error) => {
    if (sqlState(error) !== '23505') throw error;
    return attempt();
  });
  mail.hurry();
  return account;
}

async function welcome(parts: VisitorParts, tx: Db, identity: ProviderIdentity): Promise<AccountRow> {
  const { provider } = parts;
  // The order matters: if an account was just made for the same identity, it is found by the
  // identity, not only by its address.
  const namesake = identity.email === null ? undefined : await lockedAccount(tx, identity.email);
  const holder = await selectHolder(tx, identity.key);
  const verdict = welcomeOf({
    identity,
    holder: holder ?? null,
    namesake: namesake
      ? {
          suspended: await isSuspended(tx, namesake.id),
          emailVerified: namesake.emailVerified,
          twoFactorOn: namesake.twoFactorOn,
          hasOtherIdentity: await hasIdentity(tx, namesake.id, keysOf(provider.issuer)),
        }
      : null,
    mayJoin: identity.email !== null && (await parts.mayJoin(tx, identity.email)),
    passwordsToo: !provider.only,
  });
  if (verdict === 'enter' && holder) return confirmAddress(tx, await accountIn(tx, holder.id), identity);
  if (verdict === 'connect' && namesake) {
    await giveIdentity(parts, tx, namesake, identity);
    return namesake;
  }
  if (verdict === 'join' && identity.email !== null) {
    const userId = await insertUser(tx, { name: identity.name, email: identity.email });
    await insertIdentity(tx, userId, identity.key);
    await ensureWorkplace(parts.db, parts.workplaces, userId);
    return accountIn(tx, userId);
  }
  throw new NotLetIn(typeof verdict === 'object' ? verdict.failure : 'refused');
}

/** The account with this address, locked until the transaction ends. */
async function lockedAccount(tx: Db, email: string): Promise<AccountRow | undefined> {
  const found = await selectAccountByEmail(tx, email);
  if (!found) return undefined;
  await lockUser(tx, found.id);
  return selectAccountByEmail(tx, email);
}

async function accountIn(tx: Db, userId: number): Promise<AccountRow> {
  const account = await selectAccount(tx, userId);
  if (!account) throw new Error(`user ${userId} is gone in the middle of signing in`);
  return account;
}

async function giveIdentity(
  { mail, provider }: VisitorParts,
  tx: Db,
  { id, email }: AccountRow,
  identity: ProviderIdentity,
): Promise<void> {
  await insertIdentity(tx, id, identity.key);
  const details = { provider: provider.name, email: identity.email };
  await recordForUser(tx, id, { actor: email, action: 'account.provider_connected', details });
  await mail.send(tx, {
    to: email,
    kind: 'notice',
    workspaceId: null,
    subject: `You can sign in through ${provider.name} now`,
    content: {
      title: `You can sign in through ${provider.name} now`,
      paragraphs: [
        `Your account in Email Manager has just been connected to ${identity.email ?? 'an account'} at ${provider.name}.`,
        'If that was not you, disconnect it under "Your account", set a new password, and tell whoever runs this installation.',
      ],
      button: { label: 'Open your account', url: `${mail.publicUrl}/account` },
      reason: 'You get this mail because it concerns the security of your account.',
    },
  });
}

/** The provider's word counts like the link in a mail. */
async function confirmAddress(
  tx: Db,
  account: AccountRow,
  { email, emailVerified }: ProviderIdentity,
): Promise<AccountRow> {
  if (account.emailVerified || !emailVerified || email !== account.email) return account;
  await updateEmail(tx, account.id, email);
  await recordForUser(tx, account.id, {
    actor: email,
    action: 'account.email_confirmed',
    details: { email },
  });
  return { ...account, emailVerified: true };
}
