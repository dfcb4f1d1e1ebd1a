/** What a mail server said: RFC 5321, section 4.2. */
export interface Reply {
  code: number;
  /** RFC 3463: `5.1.1`. Null when the server gives none. */
  enhanced: string | null;
  /** Its lines without codes, joined by a blank. */
  text: string;
  /** Its lines without the code, for the answer to EHLO. */
  lines: string[];
}

/** A server that writes more than this in one line or reply is not a mail server. */
const longestReply = 64 * 1024;

/** What is not a reply ends the connection. */
export class NotAReply extends Error {}

/** Cuts what a server writes into replies. */
export class ReplyReader {
  #rest = '';
  #lines: string[] = [];

  /** The replies that are complete with these bytes. Throws `NotAReply`. */
  read(bytes: Buffer): Reply[] {
    this.#rest += bytes.toString('utf8');
    const replies: Reply[] = [];
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end === -1) break;
      const line = this.#rest.slice(0, end).replace(/\r$/, '');
      this.#rest = this.#rest.slice(end + 1);
      const match = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(line);
      if (!match)
        throw new NotAReply(`The mail server wrote “${printable(line).slice(0, 80)}”, which is no reply.`);
      this.#lines.push(match[3] ?? '');
      if (match[2] === '-') continue;
      replies.push(replyOf(Number(match[1]), this.#lines));
      this.#lines = [];
    }
    const length = this.#rest.length + this.#lines.reduce((sum, line) => sum + line.length, 0);
    if (length > longestReply) throw new NotAReply('The mail server wrote a reply without an end.');
    return replies;
  }
}

function replyOf(code: number, lines: readonly string[]): Reply {
  const shown = lines.map(printable);
  const enhanced = /^([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(shown[0] ?? '')?.[1] ?? null;
  const text = shown
    .map((line) =>
      (enhanced !== null && line.startsWith(enhanced) ? line.slice(enhanced.length) : line).trim(),
    )
    .filter(Boolean)
    .join(' ');
  return { code, enhanced, text, lines: shown };
}

/** What can be stored and shown. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\ufffd]/gu, '?');

/** A reply in one line, as it is shown to people. */
export const replyInWords = ({ code, enhanced, text }: Reply): string =>
  [code, enhanced, text].filter(Boolean).join(' ').slice(0, 500);
