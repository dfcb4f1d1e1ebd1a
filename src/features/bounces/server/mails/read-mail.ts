import PostalMime from 'postal-mime';
import { type ReturnAddresses, type SendReference, sendOfAddress } from '#features/messages/server/index.ts';
import type { ReturnedMail } from '../../rules/mails/mail.ts';

/** Reads a mail. Null when it is built in a way that nobody can read. */
export async function readMail(raw: Buffer): Promise<ReturnedMail | null> {
  try {
    const { from, subject, headers, text, html, attachments } = await PostalMime.parse(raw, {
      forceRfc822Attachments: true,
      attachmentEncoding: 'utf8',
      maxNestingDepth: 20,
      maxHeadersSize: 262_144,
    });
    const partOf = (pattern: RegExp) => {
      const content = attachments.find(({ mimeType }) => pattern.test(mimeType))?.content;
      return typeof content === 'string' ? content : null;
    };
    return {
      from: from?.address ?? '',
      subject: subject ?? '',
      headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
      text: text ?? withoutTags(html ?? ''),
      deliveryStatus: partOf(/^message\/(global-)?delivery-status$/),
      feedbackReport: partOf(/^message\/feedback-report$/),
    };
  } catch {
    return null;
  }
}

const withoutTags = (html: string): string => html.slice(0, 200_000).replace(/<[^<>]{0,2000}>/g, ' ');

/**
 * The first send whose return address a text of bytes (latin1) quotes. Looked for by how our
 * addresses begin, so that no text that others write takes long to search.
 */
export function sendQuotedIn(addresses: ReturnAddresses, text: string): SendReference | null {
  const quoted = text.matchAll(/bounce\+[a-z2-7]{16,80}@[a-z0-9.-]{1,253}/gi);
  let tries = 0;
  for (const [address] of quoted) {
    if (++tries > 50) return null;
    const found = sendOfAddress(addresses, address);
    if (found) return found;
  }
  return null;
}
