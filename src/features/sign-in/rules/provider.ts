import { nameLength, nameProblem } from '../rules.ts';
import type { ProviderFailure } from './provider-failures.ts';

/** Signing in through the identity provider: how far to trust it, and whom to let in. */

/** A person as the provider knows them. */
export interface ProviderIdentity {
  /**
   * Issuer and subject: the only thing about a person that a provider promises never to give to
   * anyone else.
   */
  key: string;
  /** Lower case; null when the provider gives nothing that could be an address. */
  email: string | null;
  emailVerified: boolean;
  name: string;
}

/**
 * What accounts call the identity provider. The key tells which one it is:
 * docs/decisions/0018-identity-provider.md.
 */
export const providerId = 'oidc';

/**
 * The keys of one issuer begin with this. An issuer contains no `#` (OpenID Connect Core 1.0,
 * section 2).
 */
export const keysOf = (issuer: string): string => `${issuer}#`;

/**
 * Turns the claims of a token whose signature has been checked into a person. Judges only the shape
 * of addresses.
 */
export function identityOf(issuer: string, claims: Record<string, unknown>): ProviderIdentity {
  const given = text(claims.email).toLowerCase();
  const email = /^[^\s@]+@[^\s@]+$/.test(given) && given.length <= 254 ? given : null;
  return {
    key: `${keysOf(issuer)}${text(claims.sub)}`,
    email,
    emailVerified: email !== null && isVerified(claims),
    name: nameOf(claims, given),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const isTrue = (value: unknown): boolean => [true, 'true', 1, '1'].includes(value as never);

/**
 * Some providers write the claim as text. Entra ID has no `email_verified`. If configured, its
 * `xms_edov` says that the tenant has proved to own the address's domain. It never overrules a
 * provider that says no.
 */
function isVerified({ email_verified: verified, xms_edov: ownDomain }: Record<string, unknown>): boolean {
  return verified === undefined || verified === null ? isTrue(ownDomain) : isTrue(verified);
}

/** First and last name, otherwise the whole name, otherwise the part before the @. */
function nameOf(claims: Record<string, unknown>, email: string): string {
  const parts = [text(claims.given_name), text(claims.family_name)].filter((part) => part !== '');
  const candidates = [
    parts.join(' '),
    text(claims.name),
    text(claims.preferred_username),
    email.split('@')[0] ?? '',
  ];
  const tidy = candidates.map((name) => name.replace(/\s+/gu, ' ').slice(0, nameLength.max).trim());
  return tidy.find((name) => nameProblem(name) === null) ?? 'New user';
}

interface Holder {
  suspended: boolean;
}

interface Namesake extends Holder {
  /** They proved their address to this installation. */
  emailVerified: boolean;
  twoFactorOn: boolean;
  /** They sign in as somebody else of the same issuer. */
  hasOtherIdentity: boolean;
}

interface Arrival {
  identity: Pick<ProviderIdentity, 'email' | 'emailVerified'>;
  /** Whose account the identity is connected to. */
  holder: Holder | null;
  /** The account with the same address. */
  namesake: Namesake | null;
  /** Whether this address may sign up. */
  mayJoin: boolean;
  /** Whether people may also sign in with a password. */
  passwordsToo: boolean;
}

export type Welcome = 'enter' | 'connect' | 'join' | { failure: ProviderFailure };

/**
 * What happens to somebody whom the provider sent. An identity gets an account by its address only
 * if both sides have proven that address. Otherwise, whoever signs up first with somebody's
 * address, or enters it at the provider, would get into the other's account.
 */
export function welcomeOf({ identity, holder, namesake, mayJoin, passwordsToo }: Arrival): Welcome {
  if (holder) return holder.suspended ? { failure: 'suspended' } : 'enter';
  if (identity.email === null) return { failure: 'no_address' };
  if (!identity.emailVerified) return { failure: 'unproven_address' };
  if (!namesake) return mayJoin ? 'join' : { failure: 'uninvited' };
  if (namesake.suspended) return { failure: 'suspended' };
  if (!namesake.emailVerified) return { failure: 'unconfirmed_account' };
  // An address may pass to the next person in a job. Its previous identity is somebody else.
  if (namesake.hasOtherIdentity) return { failure: 'other_identity' };
  // Whoever asked for a code beside the password also decides with it whether to open another way
  // in.
  if (namesake.twoFactorOn && passwordsToo) return { failure: 'two_factor_account' };
  return 'connect';
}

/** Why somebody who is signed in cannot connect an identity to their account, or null. */
export function connectingProblem({
  holderId,
  userId,
  hasOtherIdentity,
}: {
  holderId: number | null;
  userId: number;
  hasOtherIdentity: boolean;
}): ProviderFailure | null {
  if (holderId !== null && holderId !== userId) return 'taken_identity';
  return hasOtherIdentity ? 'other_identity' : null;
}
