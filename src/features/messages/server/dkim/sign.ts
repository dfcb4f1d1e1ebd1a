import { hash, type KeyObject, sign } from 'node:crypto';
import { asciiDomain } from '../mime/smtp-address.ts';
import { bodyCanonicaliser, fieldsOf, relaxedField } from './canonical.ts';

export interface DkimKey {
  domain: string;
  selector: string;
  /** RSA. Made once and used for all messages: reading it from PEM costs more than signing. */
  privateKey: KeyObject;
}

/**
 * The fields that are signed, each once more than the message has it (RFC 6376, section 8.15): so
 * nobody can add another From or another link to unsubscribe.
 */
const signedFields = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'Reply-To',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
  'MIME-Version',
  'Content-Type',
];
const signedNames = signedFields.map((name) => name.toLowerCase());

/**
 * Makes a function that answers a message with its DKIM-Signature in front (rsa-sha256,
 * relaxed/relaxed, the whole body). The message has CRLF line ends.
 */
export function signer(key: DkimKey): (raw: Buffer, signedAt: Date) => Buffer {
  const { unsigned, signed } = preparer(key);
  return (raw, signedAt) => {
    const { field, data } = unsigned(raw, signedAt);
    return signed(raw, field, sign('sha256', data, key.privateKey));
  };
}

function preparer({ domain, selector, privateKey }: DkimKey) {
  if (privateKey.asymmetricKeyType !== 'rsa') throw new RangeError('The key for DKIM must be an RSA key.');
  const place = asciiDomain(`${selector}._domainkey.${domain}`)?.split('._domainkey.');
  if (place === undefined) throw new RangeError('The domain or the selector for DKIM is no host name.');
  const relaxedBody = bodyCanonicaliser();
  const begin = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n d=${place[1]};\r\n s=${place[0]};\r\n`;

  return {
    /** What is signed, and the field without its signature. */
    unsigned(raw: Buffer, signedAt: Date): { field: string; data: Buffer } {
      const blank = raw.indexOf('\r\n\r\n');
      const headerEnd = blank === -1 ? raw.length : blank;
      const { names, relaxed } = chosen(fieldsOf(raw.toString('latin1', 0, headerEnd)));
      const bodyHash = hash('sha256', relaxedBody(raw, Math.min(headerEnd + 4, raw.length)), 'base64');
      const seconds = Math.floor(signedAt.getTime() / 1000);
      const field = `${begin} t=${seconds};\r\n h=${names};\r\n bh=${bodyHash};\r\n b=`;
      return { field, data: Buffer.from(`${relaxed}${relaxedField(field)}`, 'latin1') };
    },
    signed(raw: Buffer, field: string, signature: Buffer): Buffer {
      const front = `${field}${signature.toString('base64').replace(/.{72}(?=.)/g, '$&\r\n ')}\r\n`;
      return Buffer.concat([Buffer.from(front, 'latin1'), raw]);
    },
  };
}

/** The names for `h=`, and the signed fields in their relaxed form, in the same order. */
function chosen(fields: readonly string[]): { names: string; relaxed: string } {
  const values = new Map<string, string[]>();
  for (const field of fields) {
    const written = relaxedField(field);
    const name = written.slice(0, written.indexOf(':'));
    if (signedNames.includes(name)) values.set(name, [...(values.get(name) ?? []), written]);
  }
  const names: string[] = [];
  let relaxed = '';
  signedNames.forEach((name, index) => {
    // From the last to the first (section 5.4.2), and then once for the one that is not there.
    const there = (values.get(name) ?? []).reverse();
    for (const value of there) relaxed += `${value}\r\n`;
    names.push(
      Array(there.length + 1)
        .fill(signedFields[index])
        .join(':'),
    );
  });
  return { names: names.join(':\r\n '), relaxed };
}
