/** The domain that somebody means who writes an address, a web address or a domain. */
export const domainIn = (text: string): string =>
  text
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^[^@]*@/, '')
    .replace(/[/:?#].*$/s, '')
    .replace(/\.$/, '')
    .toLowerCase();
