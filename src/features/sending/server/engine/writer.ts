import { createPrivateKey } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { createLinkKeys, type LinkSite } from '#features/links/server/index.ts';
import {
  asciiAddress,
  composer,
  type DkimKey,
  type Message,
  returnAddress,
  signer,
} from '#features/messages/server/index.ts';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { mergeDataOf } from '#features/templates/rules/known-fields.ts';
import type { MailingRow } from '../mailing-queries.ts';
import type { DueSend } from '../send-queries.ts';
import { linkWriter, type OwnLinks } from './links.ts';
import { textWithWayOut, withWayOut } from './way-out.ts';

/** A message as a mail server gets it. */
export interface WrittenMessage extends Message {
  id: number;
  /** The envelope's recipient, in ASCII where that can be. */
  recipient: string;
  /** Where bounces go. */
  returnPath: string;
  subject: string;
}

/** All that it takes to write the messages of a mailing, in a form that goes to a thread. */
export interface WritingOf {
  mailing: MailingRow;
  publicUrl: string;
  secretKeys: readonly [string, ...string[]];
  /** Null: the messages are not signed. `privateKey` is in PEM. */
  dkim: { domain: string; selector: string; privateKey: string } | null;
  /** Null: bounces go to the sender's address. */
  bounceDomain: string | null;
}

interface Writer {
  /** The HTML as its reader sees it in a browser, where opening it is not counted. */
  page(send: DueSend, at: Date): string;
  /** Null when no mail server can be given the address. */
  write(send: DueSend, at: Date): WrittenMessage | null;
}

/** The same, made anew where the messages are written. */
export const writerOf = ({ mailing, publicUrl, secretKeys, dkim, bounceDomain }: WritingOf): Writer =>
  messageWriter(
    mailing,
    { publicUrl, keys: createLinkKeys(secretKeys) },
    dkim && { ...dkim, privateKey: createPrivateKey(dkim.privateKey) },
    bounceDomain,
  );

/** Writes the messages of one mailing. What is the same in all of them is worked out once. */
export function messageWriter(
  mailing: MailingRow,
  site: LinkSite,
  key: DkimKey | null,
  bounceDomain: string | null,
): Writer {
  const { subject, preheader, html, text, fromName, fromAddress, replyTo } = mailing;
  const template = compileTemplate({ subject, preheader, html, text });
  const links = linkWriter(mailing, template, site);
  const domain = domainOf(fromAddress);
  const isMarketing = mailing.kind !== 'transactional';
  const compose = composer({
    from: { name: fromName, address: fromAddress },
    replyTo: replyTo === null ? null : { name: '', address: replyTo },
    feedbackId: `${mailing.id}:${mailing.workspaceId}:${mailing.kind}:${domain.slice(0, 15)}`,
    headers: isMarketing ? [['Precedence', 'bulk']] : [],
  });
  const sign = key ? signer(key) : null;
  const { workspaceId, id: mailingId } = mailing;
  const ownReturnPath = asciiAddress(fromAddress)?.address ?? fromAddress;
  const returnPathOf = (sendId: number) =>
    bounceDomain === null
      ? ownReturnPath
      : returnAddress(
          { domain: bounceDomain, references: site.keys.references },
          { workspaceId, mailingId, sendId },
        );
  const filledFor = (send: DueSend, own: OwnLinks, at: Date) => {
    const filled = fill(
      template,
      {
        ...mergeDataOf(send, mailing.mergeData),
        ...send.data,
        unsubscribe_link: own.unsubscribe,
        preferences_link: own.preferences,
        view_in_browser_link: own.view,
        now: at.toISOString(),
      },
      own.link,
    );
    if (!isMarketing) return filled;
    const { html, text } = filled;
    const url = own.unsubscribe;
    return { ...filled, html: withWayOut(html, url), text: textWithWayOut(text, url) };
  };
  return {
    page: (send, at) => filledFor(send, links.of(send.id), at).html,
    write(send, at) {
      const to = asciiAddress(send.address) ?? asciiAddress(`${send.local}@${send.domain}`);
      if (to === null) return null;
      const own = links.of(send.id);
      const filled = filledFor(send, own, at);
      const message = compose(
        { subject: filled.subject, html: own.withPixel(filled.html), text: filled.text },
        {
          to: { name: send.name ?? '', address: to.address },
          messageId: `${own.name}@${domain}`,
          date: at,
          unsubscribeUrl: isMarketing ? own.unsubscribe : null,
        },
      );
      return {
        ...message,
        raw: sign ? sign(message.raw, at) : message.raw,
        id: send.id,
        recipient: to.address,
        returnPath: returnPathOf(send.id),
        subject: filled.subject,
      };
    },
  };
}

/** The domain of an address, in ASCII as in the DNS. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domainToASCII(domain) || domain.toLowerCase();
}
