/** The tags of a DKIM or DMARC record: `v=DMARC1; p=none`. Names in lower case. */
export function tagsOf(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    const at = part.indexOf('=');
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return tags;
}

/** Whether a TXT record is meant as a DMARC record (RFC 7489, section 6.6.3). */
export const isDmarc = (record: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(record.trim());

/** The text of a key's DNS record. */
export const dkimRecord = (publicKey: string): string => `v=DKIM1; k=rsa; p=${publicKey}`;

/** Whether this record publishes this key. */
export const publishes = (record: string, publicKey: string): boolean =>
  (tagsOf(record).get('p') ?? '').replace(/\s/g, '') === publicKey;

/** A TXT record holds strings of at most 255 bytes. Its text is their sum. */
export const stringsOf = (text: string): string[] => text.match(/.{1,255}/gs) ?? [''];
