import { createConnection } from 'node:net';

/** What SpamAssassin says of a message. */
export interface SpamReport {
  points: number;
  /** From so many points on it is spam. */
  threshold: number;
  rules: { name: string; points: number; words: string }[];
}

const usualPort = 783;
/** Nobody waits longer for advice. */
const usualDeadlineMs = 5_000;
const longestAnswer = 256 * 1024;

/**
 * Asks the spamd of a URL (`spamd://host:port`) about a message, in the protocol of `spamc`. Throws
 * when it does not answer in time, or not as spamd does.
 */
export async function askSpamd(
  url: string,
  message: Buffer,
  deadlineMs = usualDeadlineMs,
): Promise<SpamReport> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = createConnection({ host, port: Number(port) || usualPort });
    const timer = setTimeout(() => socket.destroy(new Error('spamd did not answer in time')), deadlineMs);
    const pieces: Buffer[] = [];
    let length = 0;
    socket.on('connect', () => {
      socket.write(`REPORT SPAMC/1.5\r\nContent-length: ${message.length}\r\n\r\n`);
      socket.end(message);
    });
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length > longestAnswer) socket.destroy(new Error('spamd answered too much'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(pieces).toString('latin1'));
    });
  });
  return readReport(answer);
}

const statusLine = /^SPAMD\/\d+\.\d+ (\d+)/;
const spamField = /^Spam: *(?:True|False|Yes|No) *; *(-?[\d.]+) *\/ *(-?[\d.]+)/im;
/** A line of the table of rules, and one that goes on with the words above it. */
const ruleLine = /^ *(-?\d+(?:\.\d+)?) +([A-Z][A-Z0-9_]*) +(\S.*)$/;
const moreLine = /^ {20,}(\S.*)$/;

function readReport(answer: string): SpamReport {
  const end = answer.indexOf('\r\n\r\n');
  const head = end === -1 ? answer : answer.slice(0, end);
  const figures = spamField.exec(head);
  if (statusLine.exec(head)?.[1] !== '0' || !figures)
    throw new Error(`spamd answered ${JSON.stringify(head.slice(0, 100))}`);
  const rules: SpamReport['rules'] = [];
  const lines = end === -1 ? [] : answer.slice(end).split(/\r?\n/);
  const table = lines.findIndex((line) => /^-{4} -+ -+/.test(line));
  for (const line of table === -1 ? [] : lines.slice(table + 1)) {
    const [, points, name = '', words = ''] = ruleLine.exec(line) ?? [];
    const last = rules.at(-1);
    const more = moreLine.exec(line)?.[1];
    if (points !== undefined) rules.push({ name, points: Number(points), words: words.trim() });
    else if (more && last) last.words += ` ${more.trim()}`;
  }
  return { points: Number(figures[1]), threshold: Number(figures[2]), rules };
}
