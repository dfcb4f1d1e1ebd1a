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

/** The first send whose return address a mail quotes: that of the message that it is about. */
export function sendQuotedIn(addresses: ReturnAddresses, raw: Buffer): SendReference | null {
  const quoted = raw.toString('latin1').matchAll(/bounce\+[a-z2-7]{16,80}@[a-z0-9.-]{1,253}/gi);
  let tries = 0;
  for (const [address] of quoted) {
    if (++tries > 50) return null;
    const found = sendOfAddress(addresses, address);
    if (found) return found;
  }
  return null;
}
