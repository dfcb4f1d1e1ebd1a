import { type Idna, judgeDomain } from './domain.ts';
import { domainIn } from './domain-in.ts';

/**
 * The domain that somebody means who writes an address, a web address or a domain: in ASCII and in
 * lower case. Null when nobody can have registered it.
 */
export function writtenDomain(text: string, idna: Idna): string | null {
  const { ok, domain } = judgeDomain(domainIn(text), true, idna);
  return ok ? domain : null;
}
