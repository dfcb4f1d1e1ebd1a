import { afterEach, expect, it } from 'vitest';
import { openSmtpPeer } from '#test/support/smtp-peer.ts';
import { openTlsPeer, type TlsPeer, trustAlso } from '#test/support/tls-peer.ts';
import { smtpServerOf } from './connect.ts';
import { tryOut } from './try-server.ts';

let peer: TlsPeer | undefined;
let distrust: (() => void) | undefined;

afterEach(async () => {
  distrust?.();
  distrust = undefined;
  await peer?.close();
});

function visit(tls: 'starttls' | 'implicit', password = 'right') {
  const connection = { host: 'localhost', port: peer?.port ?? 0, tls, username: 'anna' };
  return tryOut({
    ...{ server: smtpServerOf(connection, password), allowsPrivate: true },
    message: { from: 'shop@acme.co.uk', to: 'ben@reader.co.uk' },
  });
}

const modes = ['starttls', 'implicit'] as const;

it.each(modes)('refuses a certificate that nobody vouches for: %s', async (mode) => {
  peer = await openTlsPeer(mode);
  expect(await visit(mode)).toEqual({
    ...{ ok: false, answer: 'The certificate of localhost is not valid: self-signed certificate.' },
  });
  expect(peer).toMatchObject({ taken: [], heardInTheOpen: [] });
});

it.each(modes)('sends over a connection whose certificate is trusted: %s', async (mode) => {
  peer = await openTlsPeer(mode);
  distrust = trustAlso(peer.certificate);
  expect(await visit(mode)).toMatchObject({
    ...{ ok: true, answer: expect.stringMatching(/, encrypted, and took the sign-in of anna\./) },
  });
  expect(peer).toMatchObject({ taken: [{ to: 'ben@reader.co.uk', user: 'anna' }], heardInTheOpen: [] });
  expect(await visit(mode, 'wrong')).toMatchObject({ ok: false, answer: expect.stringContaining('535') });
});

it.each(modes)('refuses a trusted certificate of another host: %s', async (mode) => {
  peer = await openTlsPeer(mode, 'mail.other.co.uk');
  distrust = trustAlso(peer.certificate);
  const { ok, answer } = await visit(mode);
  expect(ok).toBe(false);
  expect(answer).toMatch(/^The certificate of localhost is not valid: .*mail\.other\.co\.uk/);
  expect(peer.taken).toEqual([]);
});

it('says no word of a password to a server without STARTTLS', async () => {
  const plain = await openSmtpPeer();
  const connection = { host: 'localhost', port: plain.port, tls: 'starttls', username: 'anna' } as const;
  const server = smtpServerOf(connection, 'right');
  expect(await tryOut({ server, allowsPrivate: true, message: null })).toEqual({
    ...{ ok: false, answer: 'The mail server does not offer encryption (STARTTLS).' },
  });
  await plain.close();
});
