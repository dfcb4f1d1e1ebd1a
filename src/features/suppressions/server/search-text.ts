import { idna } from '#features/addresses/server/index.ts';
import { storedDomain, storedTerm } from '#features/audience/rules/stored-text.ts';
import { createAddressReader } from '../rules.ts';
import type { ListName } from './queries.ts';

/** Reads an address as its entry is written. */
export const readAddress = createAddressReader(idna);

/**
 * What people look for in a list, in the form of its entries. A part of a name beyond ASCII cannot
 * be converted; a whole name, or what stands behind an @, is. Empty when nothing is left of it.
 */
export const searchText = (list: ListName, text: string): string =>
  list === 'domain' ? storedDomain(text, idna.toAscii) : (storedTerm(text, idna.toAscii) ?? '');
