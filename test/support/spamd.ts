import { createServer, type Socket } from 'node:net';

interface Said {
  points: number;
  rules: readonly { points: number; name: string; words: string }[];
}

/** A spamd for one test on 127.0.0.1. */
export interface Spamd {
  /** In the format of `SPAMD_URL`. */
  url: string;
  /** What it says of every message. Null: it hangs up. */
  says: Said | null;
  /** The last message that it was asked about. */
  asked: string;
  close(): Promise<void>;
}

/** The table that SpamAssassin writes, with long words on more than one line. */
const reportOf = ({ points, rules }: Said): string => {
  const lines = rules.map(({ points, name, words }) => {
    const [first = '', ...more] = words.match(/.{1,48}(?:\s|$)/g) ?? [''];
    const row = `${points.toFixed(1).padStart(4)} ${name.padEnd(22)} ${first.trim()}`;
    return [row, ...more.map((part) => `${' '.repeat(28)}${part.trim()}`)].join('\n');
  });
  return [
    `Content analysis details:   (${points.toFixed(1)} points, 5.0 required)`,
    '',
    ' pts rule name              description',
    `---- ${'-'.repeat(22)} ${'-'.repeat(50)}`,
    ...lines,
    '',
  ].join('\n');
};

export async function startSpamd(): Promise<Spamd> {
  const sockets = new Set<Socket>();
  const peer = { url: '', says: null as Said | null, asked: '' };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
      const [, length] = /^REPORT SPAMC\/1\.\d\r\nContent-length: (\d+)\r\n\r\n/.exec(text) ?? [];
      const begin = text.indexOf('\r\n\r\n') + 4;
      if (length === undefined || text.length < begin + Number(length)) return;
      peer.asked = text.slice(begin);
      if (peer.says === null) return socket.destroy();
      const { points } = peer.says;
      const report = reportOf(peer.says);
      const flag = points >= 5 ? 'True' : 'False';
      socket.end(
        `SPAMD/1.1 0 EX_OK\r\nContent-length: ${report.length}\r\nSpam: ${flag} ; ${points} / 5.0\r\n\r\n${report}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  peer.url = `spamd://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return Object.assign(peer, {
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}
