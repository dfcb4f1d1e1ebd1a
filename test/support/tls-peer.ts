import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { makeCertificate } from './certificate.ts';

/** A mail server on this machine that takes signed-in, encrypted messages alone. */
export interface TlsPeer {
  port: number;
  /** Its certificate, which signs itself. */
  certificate: string;
  /** Recipients of what it has taken, and who had signed in. */
  taken: { to: string; user: string }[];
  /** Passwords that it was told over a connection without encryption. */
  heardInTheOpen: string[];
  close(): Promise<void>;
}

/** `name`: the host of the certificate. */
export async function openTlsPeer(mode: 'starttls' | 'implicit', name = 'localhost'): Promise<TlsPeer> {
  const { pem, privateKey } = makeCertificate(name);
  const taken: TlsPeer['taken'] = [];
  const heardInTheOpen: string[] = [];
  const server = new SMTPServer({
    secure: mode === 'implicit',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, { secure }, done) {
      if (!secure) heardInTheOpen.push(password ?? '');
      if (password === 'right') done(null, { user: username ?? '' });
      else done(Object.assign(new Error('5.7.8 Wrong password'), { responseCode: 535 }));
    },
    onData(stream, { envelope, secure, user }, done) {
      if (secure) taken.push({ to: envelope.rcptTo[0]?.address ?? '', user: String(user) });
      stream.on('end', () => done(secure ? null : new Error('not encrypted'))).resume();
    },
  });
  // Whoever does not trust the certificate hangs up in the middle.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    certificate: pem,
    taken,
    heardInTheOpen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Lets this process trust these certificates as well. Returns what ends it. */
export function trustAlso(...pems: string[]): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, ...pems]);
  return () => setDefaultCACertificates(before);
}
