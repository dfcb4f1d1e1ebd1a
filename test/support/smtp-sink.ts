import { createServer, type Socket } from 'node:net';

/**
 * A mail server that keeps what it gets. `refuse` is its answer to the next recipients, such as
 * `550 no such user`, and `refuseSender` to the next senders.
 */
export interface SmtpSink {
  url: string;
  /** Whole messages with their headers, as they came. */
  messages: string[];
  refuse: string | null;
  refuseSender: string | null;
  close(): Promise<void>;
}

export async function openSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const sink: SmtpSink = { url: '', messages: [], refuse: null, refuseSender: null, close: async () => {} };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, sink);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  sink.url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  sink.close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => void server.close(() => resolve()));
  };
  return sink;
}

function serve(socket: Socket, sink: SmtpSink): void {
  let buffer = '';
  let inData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 sink');
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    buffer += chunk;
    for (;;) {
      const end = inData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
      if (end === -1) return;
      const piece = buffer.slice(0, end);
      buffer = buffer.slice(end + (inData ? 5 : 2));
      if (inData) {
        sink.messages.push(piece);
        inData = false;
        say('250 kept');
        continue;
      }
      const verb = piece.split(' ')[0]?.toUpperCase();
      if (verb === 'DATA') {
        inData = true;
        say('354 go on');
      } else if (verb === 'RCPT' && sink.refuse !== null) say(sink.refuse);
      else if (verb === 'MAIL' && sink.refuseSender !== null) say(sink.refuseSender);
      else if (verb === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
    }
  });
}
