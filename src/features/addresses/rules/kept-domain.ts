import type { Idna } from './domain.ts';
import { createAddressParser } from './parse.ts';
import { createUkFilter, type UkFilterOptions } from './uk.ts';

/** What the current rules make of a domain that is stored: the first that fits. */
export type DomainFate = 'invalid' | 'nonUk' | 'kept';

export interface KeptDomainOptions extends Omit<UkFilterOptions, 'toAscii'> {
  strictValidation: boolean;
}

/**
 * Returns a function that says whether Clean keeps the contacts of a domain, whatever their local
 * part. The counts of what Clean would remove use it too. No domain (the empty text) is invalid.
 */
export function createDomainSorter(
  { strictValidation, ...uk }: KeptDomainOptions,
  idna: Idna,
): (domain: string) => DomainFate {
  const parser = createAddressParser({ ...idna, strict: strictValidation, cacheSlots: 2 ** 12 });
  const isKept = createUkFilter({ ...uk, toAscii: idna.toAscii });
  return (domain) => {
    if (!parser.parse(`a@${domain}`).ok) return 'invalid';
    return isKept(domain) ? 'kept' : 'nonUk';
  };
}
