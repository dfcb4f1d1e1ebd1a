import { idna } from '#features/addresses/server/index.ts';
import { upToOrganisation } from '../rules/domain-name.ts';

/** The sender domains that may stand for mail from this domain, the nearest first, in ASCII. */
export const domainsFor = (fromDomain: string): string[] =>
  upToOrganisation(idna.toAscii(fromDomain) || fromDomain.toLowerCase());
