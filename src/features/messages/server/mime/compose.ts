import { ByteWriter } from './byte-writer.ts';
import { headerText, mailboxField, textField } from './header-text.ts';
import { writeQuotedPrintable } from './quoted-printable.ts';
import { asciiAddress } from './smtp-address.ts';

export interface Mailbox {
  /** The display name; '' for none. */
  name: string;
  /** May be internationalised. */
  address: string;
}

/** What is the same in all messages of a campaign. */
export interface Frame {
  from: Mailbox;
  replyTo: Mailbox | null;
  /** For Gmail's figures of spam reports: campaign:workspace:kind:sender. */
  feedbackId: string | null;
  /** More fields, such as `Precedence: bulk`. The composer's own fields are refused here. */
  headers: readonly (readonly [name: string, value: string])[];
}

export interface Part {
  subject: string;
  html: string;
  text: string;
}

export interface Addressed {
  to: Mailbox;
  /** With or without its angle brackets. */
  messageId: string;
  date: Date;
  /** The address of RFC 8058; null for transactional mail. */
  unsubscribeUrl: string | null;
}

export interface Message {
  /** The whole message with CRLF line ends. ASCII unless `needsSmtpUtf8`. */
  raw: Buffer;
  /** An address in its header is not ASCII: only servers with SMTPUTF8 take it. */
  needsSmtpUtf8: boolean;
}

/**
 * Makes the messages of one campaign. What is the same in all of them is encoded once. The same
 * part and addressee always make the same bytes. Throws a RangeError when an address cannot be
 * written (ask `asciiAddress` first) or a field is not allowed.
 */
export function composer(frame: Frame): (part: Part, addressed: Addressed) => Message {
  const out = new ByteWriter();
  const from = mailbox('From', frame.from);
  const replyTo = frame.replyTo && mailbox('Reply-To', frame.replyTo);
  const rest =
    (replyTo?.field ?? '') +
    (frame.feedbackId === null ? '' : textField('Feedback-ID', frame.feedbackId, 'programs')) +
    frame.headers.map(([name, value]) => extraField(name, value)).join('');
  const frameNeedsUtf8 = from.needsSmtpUtf8 || (replyTo?.needsSmtpUtf8 ?? false);

  return (part, addressed) => {
    const to = mailbox('To', addressed.to);
    out.length = 0;
    out.write(from.field);
    out.write(to.field);
    out.write(textField('Subject', part.subject, 'people'));
    out.write(`Date: ${addressed.date.toUTCString().replace('GMT', '+0000')}\r\n`);
    out.write(`Message-ID: <${messageIdText(addressed.messageId)}>\r\n`);
    out.write(rest);
    out.write(unsubscribeFields(addressed));
    out.write('MIME-Version: 1.0\r\n');
    writeBody(out, part, addressed.messageId);
    return { raw: out.copied(), needsSmtpUtf8: frameNeedsUtf8 || to.needsSmtpUtf8 };
  };
}

function mailbox(field: string, { name, address }: Mailbox): { field: string; needsSmtpUtf8: boolean } {
  const written = asciiAddress(address);
  if (written === null) throw new RangeError(`No mail server can be given the address in ${field}.`);
  const { needsSmtpUtf8 } = written;
  return { field: mailboxField(field, { name, address: written.address }), needsSmtpUtf8 };
}

/** What the composer or a server writes. A second one would change what the message means. */
const ownFields = new Set(
  (
    'from sender to cc bcc subject date message-id reply-to feedback-id list-unsubscribe ' +
    'list-unsubscribe-post mime-version content-type content-transfer-encoding return-path received ' +
    'dkim-signature'
  ).split(' '),
);
const fieldName = /^[!-9;-~]{1,64}$/;

function extraField(name: string, value: string): string {
  if (!fieldName.test(name) || ownFields.has(name.toLowerCase()))
    throw new RangeError(`A message cannot be given the field ${JSON.stringify(name)}.`);
  return textField(name, value, 'programs');
}

/** ASCII without blanks or brackets. */
function messageIdText(id: string): string {
  const bare = headerText(id).replace(/[<>\s]/g, '');
  return (asciiAddress(bare)?.address ?? bare).replace(/[^\x21-\x7e]/g, '');
}

/** RFC 2369 and RFC 8058. */
function unsubscribeFields({ unsubscribeUrl }: Addressed): string {
  if (unsubscribeUrl === null) return '';
  return `List-Unsubscribe: ${link(unsubscribeUrl)}\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;
}

/** A link between angle brackets. What must not stand there is percent-encoded. */
function link(url: string): string {
  const written = headerText(url).replace(/[^\x21\x23-\x3b\x3d\x3f-\x7e]/gu, encodeURIComponent);
  if (written.length > 900) throw new RangeError('The link to unsubscribe is longer than a line may be.');
  return `<${written}>`;
}

const plainPart =
  'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';
const htmlPart =
  'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';

/** Both parts as alternatives, the better one last (RFC 2046, 5.1.4), or the one there is. */
function writeBody(out: ByteWriter, { html, text }: Part, messageId: string): void {
  if (html === '' || text === '') {
    out.write(html === '' ? plainPart : htmlPart);
    writeQuotedPrintable(out, html === '' ? text : html);
    out.write('\r\n');
    return;
  }
  const boundary = boundaryFor(messageId);
  out.write(
    `Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n--${boundary}\r\n${plainPart}`,
  );
  writeQuotedPrintable(out, text);
  out.write(`\r\n--${boundary}\r\n${htmlPart}`);
  writeQuotedPrintable(out, html);
  out.write(`\r\n--${boundary}--\r\n`);
}

/**
 * A line between the parts. `=_` cannot occur in them: in quoted-printable, hex digits or a line
 * break follow each `=`. The rest differs between messages, so one can hold another.
 */
function boundaryFor(messageId: string): string {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  for (let place = 0; place < messageId.length; place += 1) {
    const code = messageId.charCodeAt(place);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b) + place;
  }
  return `=_${(first >>> 0).toString(36)}.${(second >>> 0).toString(36)}`;
}
