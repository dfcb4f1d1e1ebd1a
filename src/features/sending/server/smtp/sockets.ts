import { createConnection, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { SmtpServer } from './server.ts';

/**
 * Why no connection came about. `isFinal`: trying again helps only once somebody changes something.
 */
export class ConnectError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

export interface SmtpTimeouts {
  connectMs: number;
  /**
   * RFC 5321, section 4.5.3.2, asks for minutes. Within a campaign a server that is silent is busy.
   */
  replyMs: number;
  /** For the answer to the end of a message. Servers scan it first. */
  endMs: number;
}

export const usualTimeouts: SmtpTimeouts = { connectMs: 20_000, replyMs: 60_000, endMs: 180_000 };

export const tlsOptions = ({ host, checksCertificate }: SmtpServer) => ({
  ...(isIP(host) ? {} : { servername: host }),
  rejectUnauthorized: checksCertificate,
});

export async function openSocket(
  server: SmtpServer,
  address: string,
  timeouts: SmtpTimeouts,
): Promise<Socket> {
  const { port, tls } = server;
  if (tls === 'implicit')
    return secured(server, connectTls({ host: address, port, ...tlsOptions(server) }), timeouts);
  const socket = createConnection({ host: address, port, noDelay: true });
  await ready(server, socket, 'connect', timeouts);
  return socket;
}

export async function secured(
  server: SmtpServer,
  socket: TLSSocket,
  timeouts: SmtpTimeouts,
): Promise<TLSSocket> {
  await ready(server, socket, 'secureConnect', timeouts);
  socket.setNoDelay(true);
  return socket;
}

/** How to start Node is nothing for those who are told. */
const adviceOfNode = /; if the root CA is installed locally.*$/s;

function ready(
  { host, port }: SmtpServer,
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { connectMs }: SmtpTimeouts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error & { code?: string }) => {
      socket.destroy();
      const isCertificate = /CERT|SIGNED|ALTNAME/i.test(error.code ?? '');
      const words = isCertificate
        ? `The certificate of ${host} is not valid: ${error.message.replace(adviceOfNode, '')}`
        : `${host}:${port} cannot be reached: ${error.message}`;
      reject(new ConnectError(words, isCertificate, { cause: error }));
    };
    const timer = setTimeout(() => refuse(new Error('it did not answer in time')), connectMs);
    const settle = () => clearTimeout(timer);
    socket.once('error', (error) => {
      settle();
      refuse(error);
    });
    socket.once(event, () => {
      settle();
      socket.removeAllListeners('error');
      resolve();
    });
  });
}
