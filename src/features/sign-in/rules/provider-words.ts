import type { ProviderFailure } from './provider-failures.ts';

interface Place {
  /** The name by which people know the identity provider. */
  name: string;
  /** Whether people may also sign in with a password. */
  passwords: boolean;
  /** True on the account screen, when connecting; false on the sign-in page. */
  connecting: boolean;
}

/** Why the identity provider let nobody in, and what to do about it. */
export function failureWords(failure: ProviderFailure, { name, passwords, connecting }: Place): string {
  const whoRuns = 'ask whoever runs this installation';
  const connect = `Sign in with its password, then connect ${name} under “Your account”.`;
  switch (failure) {
    case 'cancelled':
      return `You did not finish at ${name}. Nothing has changed.`;
    case 'unreachable':
      return `${name} cannot be reached at the moment. Try again in a while${
        passwords && !connecting ? ', or sign in with your password' : ''
      }.`;
    case 'refused':
      return `What ${name} answered could not be trusted. Try again; if it stays so, ${whoRuns}: the reason is in its log.`;
    case 'expired':
      return 'That took too long, or was begun in another tab. Try again.';
    case 'too_many':
      return 'Too many attempts. Wait a minute, then try again.';
    case 'no_address':
      return `${name} did not tell your email address. Ask whoever looks after ${name} to pass it on.`;
    case 'unproven_address':
      return `${name} has not confirmed your email address. Confirm it there, or ask whoever looks after ${name}.`;
    case 'unconfirmed_account':
      return `There is an account with your address, which was never confirmed here. ${
        passwords ? connect : `Please ${whoRuns}.`
      }`;
    case 'two_factor_account':
      return `Your account has two-factor sign-in. ${connect}`;
    case 'other_identity':
      return connecting
        ? `Your account is connected to somebody else at ${name} already.`
        : `The account with your address is connected to somebody else at ${name}. ${
            passwords ? 'Sign in with its password' : 'Sign in there as them'
          }, or ${whoRuns}.`;
    case 'taken_identity':
      return `Your ${name} account is already connected to another account. Sign in through ${name} to get into that one.`;
    case 'uninvited':
      return 'Sign-up is by invitation here. Ask somebody who uses this installation to invite your email address.';
    case 'suspended':
      return `This account is suspended. Please ${whoRuns} why, and whether it can be opened again.`;
  }
}
