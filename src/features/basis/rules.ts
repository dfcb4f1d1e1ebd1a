import type { Basis } from '#features/contacts/contract.ts';
import { basesByCode } from '#features/contacts/rules/bases.ts';
import { formatCount } from '#platform/shared/words.ts';

export const codeOf = (basis: Basis): number => basesByCode.indexOf(basis);
export const basisOf = (code: number): Basis => basesByCode[code] ?? 'unknown';

export const basisLabels: Readonly<Record<Basis, string>> = {
  consent: 'Consent',
  soft_opt_in: 'Soft opt-in',
  corporate_subscriber: 'Corporate subscriber',
  none: 'No basis',
  unknown: 'Unknown',
};

/** What each means, for somebody who chooses one. */
export const basisHints: Readonly<Record<Basis, string>> = {
  consent: 'They agreed to get marketing from you by email.',
  soft_opt_in: 'They bought or asked about something similar, and could say no then and in each email.',
  corporate_subscriber: 'A company, LLP or public body, not a sole trader or an ordinary partnership.',
  none: 'They said no, or you have nothing to go by.',
  unknown: 'Nobody has said on what basis they may be mailed.',
};

/** Whom a workspace mails that has not chosen: everybody of whom nobody has said no. */
export const mailableAtFirst: readonly Basis[] = [
  'consent',
  'soft_opt_in',
  'corporate_subscriber',
  'unknown',
];

/**
 * Bases from the one that counts most, when contacts become one. A `none` wins: somebody has said
 * that this person may not be mailed, and a mail that should not have been sent cannot be taken
 * back. Then what asks most of the business counts before what asks less.
 */
const byWeight: readonly Basis[] = ['none', 'consent', 'soft_opt_in', 'corporate_subscriber', 'unknown'];

/** How much a basis counts among those of one person. The highest wins. */
export const weightOf = (basis: Basis): number => byWeight.length - byWeight.indexOf(basis);

/** "Set the marketing basis of 1,204 contacts to consent". */
export const changeInWords = (basis: Basis, contacts: number | string): string =>
  `Set the marketing basis of ${typeof contacts === 'string' ? contacts : formatCount(contacts, 'contact')} to ${basisLabels[basis].toLowerCase()}`;
