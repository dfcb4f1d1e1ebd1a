import type { Contact } from '#features/contacts/contract.ts';
import { formatDay } from '#platform/web/format.ts';
import { basisLabels } from '../rules.ts';

/** “Spring fair 2024 sign-up sheet, 20 Apr 2024”. Empty when neither is known. */
export const whereFrom = ({ source, givenOn }: Pick<Contact['marketing'], 'source' | 'givenOn'>): string =>
  [source, givenOn && formatDay(givenOn)].filter(Boolean).join(', ');

/** “Consent: Spring fair 2024 sign-up sheet, 20 Apr 2024”. */
export const inWords = (marketing: Pick<Contact['marketing'], 'basis' | 'source' | 'givenOn'>): string =>
  [basisLabels[marketing.basis], whereFrom(marketing)].filter(Boolean).join(': ');
