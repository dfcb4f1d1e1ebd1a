import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Spamd, startSpamd } from '#test/support/spamd.ts';
import { askSpamd } from './spamd.ts';

let spamd: Spamd;
let other: Server | undefined;

beforeAll(async () => {
  spamd = await startSpamd();
});
afterEach(() => other?.close());
afterAll(() => spamd.close());

const message = Buffer.from('Subject: é\r\n\r\nHello\r\n');

it('answers its points and its rules, whose words may take several lines', async () => {
  const long = 'BODY: HTML has a low ratio of text to image area, which is what pictures of text look like';
  const rules = [
    { points: 2.4, name: 'HTML_IMAGE_RATIO_02', words: long },
    { points: -0.1, name: 'DKIM_VALID', words: 'Message has at least one valid signature' },
  ];
  spamd.says = { points: 2.3, rules };
  expect(await askSpamd(spamd.url, message)).toEqual({ points: 2.3, threshold: 5, rules });
  expect(Buffer.from(spamd.asked, 'latin1')).toEqual(message);
});

/** A server that says this to whoever connects, or nothing. */
async function answering(words: string | null): Promise<string> {
  other = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    if (words !== null) socket.end(words);
  });
  await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  return `spamd://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

it.each([
  ['hangs up', ''],
  ['has an error', 'SPAMD/1.1 76 Bad header line\r\n\r\n'],
  ['is something else', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
])('throws when it %s', async (_, words) => {
  await expect(askSpamd(await answering(words), message)).rejects.toThrow();
});

it('throws when nobody answers, or not in time', async () => {
  await expect(askSpamd(await answering(null), message, 50)).rejects.toThrow('in time');
  await expect(askSpamd('spamd://127.0.0.1:1', message)).rejects.toThrow();
});
