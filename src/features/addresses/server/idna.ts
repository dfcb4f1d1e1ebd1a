import { domainToASCII, domainToUnicode } from 'node:url';
import type { Idna } from '../rules/domain.ts';

/**
 * Internationalised domain names by Node's own UTS 46 tables. `toAscii` returns '' for a name that
 * has no ASCII form. Both expect text without `/`, `?`, `#`, `:` and `%`, which Node would read as
 * parts of a URL; the rules ensure that.
 */
export const idna: Required<Idna> = { toAscii: domainToASCII, toUnicode: domainToUnicode };
