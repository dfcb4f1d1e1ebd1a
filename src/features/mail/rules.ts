/** What a mail says, how it looks, and when a failed one is tried again. No I/O. */

export interface MailContent {
  /** One line. */
  title: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  /** In small print at the end: why this mail came. */
  reason: string;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The mail as plain text. */
export function mailText({ title, paragraphs, button, reason }: MailContent): string {
  const parts = [title, ...paragraphs];
  if (button) parts.push(`${button.label}:\n${button.url}`);
  parts.push(`--\n${reason}\nEmail Manager`);
  return `${parts.join('\n\n')}\n`;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The mail as HTML that every mail program can draw: tables and styles on elements, no picture,
 * nothing to fetch.
 */
export function mailHtml({ title, paragraphs, button, reason }: MailContent): string {
  const lines = paragraphs
    .map(
      (text) =>
        `<p style="margin:0 0 14px;font-size:15px;line-height:23px;color:#14191d">${escaped(text)}</p>`,
    )
    .join('');
  const action = button
    ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 18px"><tr><td style="border-radius:6px;background:#0e6680">
<a href="${escaped(button.url)}" style="display:inline-block;padding:11px 18px;font-size:15px;font-weight:600;color:#ffffff;text-decoration:none">${escaped(button.label)}</a>
</td></tr></table>
<p style="margin:0 0 4px;font-size:13px;line-height:19px;color:#5a6670">If the button does not work, open this address:<br><a href="${escaped(button.url)}" style="color:#0c5d75;word-break:break-all">${escaped(button.url)}</a></p>`
    : '';
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>${escaped(title)}</title></head>
<body style="margin:0;background:#f6f7f8;${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:28px 14px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e8ea;border-radius:8px">
<tr><td style="padding:22px 28px 0;font-size:14px;font-weight:600;color:#0c5d75">Email Manager</td></tr>
<tr><td style="padding:12px 28px 24px"><h1 style="margin:0 0 14px;font-size:21px;line-height:28px;color:#0b0f12">${escaped(title)}</h1>
${lines}${action}</td></tr>
</table>
<p style="max-width:520px;margin:14px auto 0;font-size:12px;line-height:18px;color:#5a6670">${escaped(reason)}</p>
</td></tr></table>
</body></html>
`;
}

/** Subjects and names must be one line: a line break would begin another header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const minutesUntilNextTry = [1, 5, 15, 60, 180, 360, 720];

/** How many minutes to wait after this many failed attempts; null when the mail is given up. */
export function retryMinutes(attempts: number): number | null {
  return minutesUntilNextTry[attempts - 1] ?? null;
}

/** What a mail server refused: the command that it answered, and its reply code. */
export interface Refusal {
  command?: string | undefined;
  responseCode?: number | undefined;
}

/** The commands whose answer is about one mail: its recipient and its content. */
const commandsOfOneMail = ['RCPT TO', 'DATA'];
/** The server wants a login first (RFC 4954, section 6). It says so to every mail. */
const wantsLogin = [530, 535];

/**
 * Whether the server refused this very mail for good, so that trying again is useless (RFC 5321,
 * section 4.2.1: replies of the form 5yz). A refused login, greeting or sender is mended by whoever
 * runs the product, and the mail can leave then.
 */
export const isFinal = ({ command = '', responseCode = 0 }: Refusal): boolean =>
  commandsOfOneMail.includes(command) &&
  responseCode >= 500 &&
  responseCode < 600 &&
  !wantsLogin.includes(responseCode);

/** Whether the next mail would meet the same: no server is reached, or it takes none of ours. */
export const meetsEveryMail = ({ command }: Refusal): boolean =>
  command !== undefined && !commandsOfOneMail.includes(command);

/**
 * Describes why a mail cannot be sent again now; null when it can. Only a mail that has not left,
 * and is not about to, can be sent again.
 */
export function sendingAgainProblem(
  { status, attempts }: { status: 'kept' | 'waiting' | 'sent' | 'failed'; attempts: number },
  hasMailServer: boolean,
): string | null {
  if (status === 'sent') return 'This mail was sent already.';
  if (!hasMailServer) return 'No mail server is set up, so no mail can be sent. Pass its link on yourself.';
  if (status !== 'waiting') return null;
  return attempts === 0
    ? 'This mail is about to be sent for the first time.'
    : 'This mail is being sent, or waits for its next try by itself.';
}
