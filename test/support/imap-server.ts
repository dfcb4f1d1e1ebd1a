import { createServer, type Socket } from 'node:net';

// The few commands of IMAP4rev1 (RFC 3501) that reading and moving mails takes.

export interface ImapServer {
  url: string;
  /** Mails by folder, in the order of their arrival. */
  folders: Map<string, Map<number, Buffer>>;
  put(raw: string): void;
  /** Refuses to move mails. */
  isStuck: boolean;
  close(): Promise<void>;
}

interface Session {
  isIn: boolean;
  folder: string;
}

const user = 'bounces@acme.co.uk';
const password = 'a pass:word';

/** A mailbox that takes one name and password, and keeps its mails in memory. */
export async function openImapServer(): Promise<ImapServer> {
  const folders = new Map([['INBOX', new Map<number, Buffer>()]]);
  let uid = 0;
  const state = { isStuck: false };

  /** The lines that answer a command, and whether it went well. */
  function answer(
    session: Session,
    command: string,
    rest: string,
  ): { said: (string | Buffer)[]; is: string } {
    const mails = folders.get(session.folder) ?? new Map<number, Buffer>();
    const done = (...said: (string | Buffer)[]) => ({ said, is: 'OK Done' });
    const words = [...rest.matchAll(/"((?:\\.|[^"])*)"|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    );
    const no = (why: string) => ({ said: [], is: `NO ${why}` });
    switch (command) {
      case 'CAPABILITY':
        return done('CAPABILITY IMAP4rev1 MOVE UIDPLUS');
      case 'LOGIN':
        session.isIn = words[0] === user && words[1] === password;
        return session.isIn ? done() : no('[AUTHENTICATIONFAILED] Wrong name or password');
      case 'NOOP':
      case 'SUBSCRIBE':
        return done();
      case 'LOGOUT':
        return done('BYE Bye');
    }
    if (!session.isIn) return no('Log in first');
    switch (command) {
      case 'LIST':
        return words[1] === ''
          ? done('LIST (\\Noselect) "/" ""')
          : done(...[...folders.keys()].map((name) => `LIST () "/" "${name}"`));
      case 'LSUB':
        return done(...[...folders.keys()].map((name) => `LSUB () "/" "${name}"`));
      case 'CREATE':
        folders.set(words[0] ?? '', new Map());
        return done();
      case 'SELECT':
        session.folder = words[0] ?? '';
        if (!folders.has(session.folder)) return no('[NONEXISTENT] There is no such folder');
        return done(
          'FLAGS (\\Seen \\Deleted)',
          `${folders.get(session.folder)?.size} EXISTS`,
          'OK [UIDVALIDITY 1] Ok',
          `OK [UIDNEXT ${uid + 1}] Ok`,
        );
      case 'UID SEARCH':
        return done(`SEARCH ${[...mails.keys()].join(' ')}`.trim());
      case 'UID FETCH': {
        const number = Number(words[0]);
        const most = Number(/<0\.(\d+)>/.exec(rest)?.[1] ?? Number.MAX_SAFE_INTEGER);
        const source = mails.get(number)?.subarray(0, most);
        if (!source) return done();
        const place = [...mails.keys()].indexOf(number) + 1;
        const origin = rest.includes('<0.') ? '<0>' : '';
        return done(
          Buffer.concat([
            Buffer.from(`${place} FETCH (UID ${number} BODY[]${origin} {${source.length}}\r\n`),
            source,
            Buffer.from(')'),
          ]),
        );
      }
      case 'UID MOVE': {
        if (state.isStuck) return no('[UNAVAILABLE] Not now');
        const number = Number(words[0]);
        const place = [...mails.keys()].indexOf(number) + 1;
        const raw = mails.get(number);
        const to = folders.get(words[1] ?? '');
        if (!raw || !to) return no('[TRYCREATE] There is no such folder');
        mails.delete(number);
        to.set(++uid, raw);
        return done(`OK [COPYUID 1 ${number} ${uid}] Moved`, `${place} EXPUNGE`);
      }
    }
    return { said: [], is: 'BAD Unknown' };
  }

  const serve = (socket: Socket) => {
    const session: Session = { isIn: false, folder: '' };
    socket.write('* OK Ready\r\n');
    let waiting = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      waiting += chunk;
      for (let end = waiting.indexOf('\r\n'); end >= 0; end = waiting.indexOf('\r\n')) {
        const [tag = '', first = '', ...others] = waiting.slice(0, end).split(' ');
        waiting = waiting.slice(end + 2);
        const isLong = first.toUpperCase() === 'UID';
        const command = (isLong ? `UID ${others.shift()}` : first).toUpperCase();
        const { said, is } = answer(session, command, others.join(' '));
        for (const line of said)
          socket.write(Buffer.concat([Buffer.from('* '), Buffer.from(line), Buffer.from('\r\n')]));
        socket.write(`${tag} ${is}\r\n`);
        if (command === 'LOGOUT') socket.end();
      }
    });
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  return Object.assign(state, {
    url: `imap://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/INBOX`,
    folders,
    put: (raw: string) => void folders.get('INBOX')?.set(++uid, Buffer.from(raw)),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  });
}
