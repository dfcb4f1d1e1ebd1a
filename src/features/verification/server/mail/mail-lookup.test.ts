import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { type DnsServer, type NameAnswers, startDnsServer } from '#test/support/dns-server.ts';
import { createMailLookup, type MailLookup } from './mail-lookup.ts';
import { createMailServers } from './mail-servers.ts';

const table: Record<string, NameAnswers> = {
  'mx.co.uk': { mx: [{ exchange: 'mail.mx.co.uk', priority: 10 }] },
  'hosted.co.uk': {
    mx: [
      { exchange: 'mail.spare.co.uk', priority: 20 },
      { exchange: 'ASPMX.L.google.com', priority: 1 },
    ],
  },
  'four.co.uk': { a: ['192.0.2.1'] },
  'six.co.uk': { aaaa: ['2001:db8:0:0:0:0:0:1'] },
  'nothing.co.uk': {},
  'null.co.uk': { mx: [{ exchange: '', priority: 0 }], a: ['192.0.2.1'] },
  'broken.co.uk': { fails: 'SERVFAIL' },
  'refused.co.uk': { fails: 'REFUSED' },
  'silent.co.uk': { fails: 'drop' },
  'late.co.uk': { mx: [{ exchange: 'mail.late.co.uk', priority: 10 }], delayMs: 150 },
  'long.co.uk': { mx: [{ exchange: 'mail.long.co.uk', priority: 10 }], fails: 'truncate' },
};

let server: DnsServer;
let made: TestDatabase;
let db: Database;
const open: MailLookup[] = [];
const lookup = () => {
  const one = createMailLookup({ servers: [server.address], deadlineMs: 400 });
  open.push(one);
  return one;
};

beforeAll(async () => {
  server = await startDnsServer((name) =>
    name.startsWith('many')
      ? { mx: [{ exchange: 'mail.many.co.uk', priority: 1 }], delayMs: 20 }
      : table[name],
  );
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
});
afterEach(() => {
  server.questions.length = 0;
  for (const one of open.splice(0)) one.close();
});
afterAll(async () => {
  await db.close();
  await made.drop();
  await server.close();
});

describe('asking for a domain', () => {
  it.each([
    ['mx.co.uk', { state: 'mail', via: 'mx', provider: 'mx.co.uk' }],
    ['hosted.co.uk', { state: 'mail', via: 'mx', provider: 'google.com' }],
    ['four.co.uk', { state: 'mail', via: 'address' }],
    ['six.co.uk', { state: 'mail', via: 'address' }],
    ['nothing.co.uk', { state: 'no_mail', via: null }],
    ['null.co.uk', { state: 'null_mx', via: null }],
    ['nowhere.co.uk', { state: 'no_such_domain', via: null }],
    ['broken.co.uk', { state: 'unknown', via: null }],
    ['refused.co.uk', { state: 'unknown', via: null }],
    ['silent.co.uk', { state: 'unknown', via: null }],
    ['late.co.uk', { state: 'mail', via: 'mx', provider: 'late.co.uk' }],
    ['long.co.uk', { state: 'mail', via: 'mx', provider: 'long.co.uk' }],
  ])('%s', async (domain, answer) => {
    expect(await lookup().ask(domain)).toEqual(answer);
  });

  it('is unknown when nobody listens', async () => {
    const gone = await startDnsServer({});
    await gone.close();
    const lost = createMailLookup({ servers: [gone.address], deadlineMs: 300 });
    expect(await lost.ask('mx.co.uk')).toEqual({ state: 'unknown', via: null });
    lost.close();
  });
});

describe('the cache', () => {
  const asked = (domain: string) => server.questions.filter((question) => question === `MX ${domain}`).length;
  const holdsFor = async (domain: string) => {
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from expires_at - checked_at) / 3600, 2)::float as hours
      from domain_mail where domain = ${domain}`.execute(db.system);
    return rows[0]?.hours;
  };

  it('asks once for many, and not again while the answer holds', async () => {
    const servers = createMailServers({ db, lookup: lookup() });
    const found = await servers.findAll(['mx.co.uk', 'mx.co.uk', 'nowhere.co.uk', 'broken.co.uk']);
    expect([...found].map(([domain, { state }]) => [domain, state])).toEqual([
      ['mx.co.uk', 'mail'],
      ['nowhere.co.uk', 'no_such_domain'],
      ['broken.co.uk', 'unknown'],
    ]);
    expect((await servers.find('mx.co.uk')).state).toBe('mail');
    expect((await servers.find('nowhere.co.uk')).state).toBe('no_such_domain');
    expect(asked('mx.co.uk')).toBe(1);
    expect(asked('nowhere.co.uk')).toBe(1);
    expect(await holdsFor('mx.co.uk')).toBe(168);
    expect(await holdsFor('nowhere.co.uk')).toBe(24);
    expect(await holdsFor('broken.co.uk')).toBe(0.17);
  });

  it('asks again when the answer has expired, and keeps a good answer where there is no new one', async () => {
    const servers = createMailServers({ db, lookup: lookup() });
    await servers.find('four.co.uk');
    await sql`update domain_mail set expires_at = now() where domain = 'four.co.uk'`.execute(db.system);
    await servers.find('four.co.uk');
    expect(asked('four.co.uk')).toBe(2);
  });

  it('asks for the same domain once when many want it at the same moment', async () => {
    const servers = createMailServers({ db, lookup: lookup() });
    await Promise.all(Array.from({ length: 20 }, () => servers.find('many-wait.co.uk')));
    expect(asked('many-wait.co.uk')).toBe(1);
  });

  it('asks many at once, but never more than a hundred', async () => {
    const servers = createMailServers({ db, lookup: lookup() });
    let done = 0;
    await servers.findAll(
      Array.from({ length: 400 }, (_, index) => `many${index}.co.uk`),
      { onDone: (more) => (done += more) },
    );
    expect(done).toBe(400);
    expect(server.mostAtOnce()).toBeGreaterThan(10);
    expect(server.mostAtOnce()).toBeLessThanOrEqual(100);
  });

  it('stops asking when nobody answers', async () => {
    let asked = 0;
    const servers = createMailServers({
      db,
      lookup: {
        ask: async () => {
          asked += 1;
          return { state: 'unknown', via: null };
        },
        close: () => undefined,
      },
    });
    const found = await servers.findAll(Array.from({ length: 5000 }, (_, index) => `dark${index}.co.uk`));
    expect(found.size).toBe(5000);
    expect(asked).toBeLessThan(500);
  });

  /** A lookup that knows all domains but those called silent, which wait for `release`. */
  function silentLookup() {
    const asked: string[] = [];
    const released = Promise.withResolvers<void>();
    const lookup: MailLookup = {
      async ask(domain) {
        asked.push(domain);
        if (!domain.startsWith('silent')) return { state: 'mail', via: 'mx' };
        await released.promise;
        return { state: 'unknown', via: null };
      },
      close: () => undefined,
    };
    return { asked, lookup, release: released.resolve };
  }
  const named = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}.co.uk`);
  const states = (found: Map<string, { state: string }>) =>
    new Set([...found.values()].map(({ state }) => state));

  it('stops asking for the caller alone whose names nobody answers, and stores nothing that it has not asked', async () => {
    const { asked, lookup, release } = silentLookup();
    const servers = createMailServers({ db, lookup });
    release();
    const [silent, good] = await Promise.all([
      servers.findAll(named('silent-a', 1_000)),
      servers.findAll(named('good-a', 1_000)),
    ]);
    expect(states(silent)).toEqual(new Set(['unknown']));
    expect(states(good)).toEqual(new Set(['mail']));
    const { rows } = await sql<{ domain: string }>`
      select domain from domain_mail where domain like 'silent-a%'`.execute(db.system);
    const unanswered = asked.filter((domain) => domain.startsWith('silent-a'));
    expect(unanswered.length).toBeLessThan(500);
    expect(rows.map(({ domain }) => domain).sort()).toEqual(unanswered.sort());
  });

  it('answers a single question while another caller’s names keep all places', async () => {
    const { lookup, release } = silentLookup();
    const servers = createMailServers({ db, lookup });
    const many = servers.findAll([...named('silent-b', 200), 'wanted-b.co.uk']);
    expect((await servers.find('one-b.co.uk')).state).toBe('mail');
    // This one stands in the line of the other.
    expect((await servers.find('wanted-b.co.uk')).state).toBe('mail');
    release();
    await many;
  });

  it('is done at once with what waits for its turn when the caller has gone', async () => {
    const { asked, lookup, release } = silentLookup();
    const servers = createMailServers({ db, lookup });
    const first = servers.findAll(named('silent-e', 200));
    await expect.poll(() => asked.length).toBe(100);
    const gone = new AbortController();
    let done = 0;
    const second = servers.findAll(['known-e.co.uk', 'known-f.co.uk'], {
      signal: gone.signal,
      onDone: (more) => {
        done += more;
        // What the cache knows is told first. Now the questions are in line.
        if (done === 0) setImmediate(() => gone.abort());
      },
    });
    expect(states(await second)).toEqual(new Set(['unknown']));
    expect(asked).toHaveLength(100);
    release();
    await first;
  });

  it('asks for whoever still wants to know when the first to ask has gone', async () => {
    const { asked, lookup, release } = silentLookup();
    const servers = createMailServers({ db, lookup });
    const gone = new AbortController();
    const shared = ['shared-c.co.uk', 'shared-d.co.uk'];
    const first = servers.findAll([...named('silent-c', 200), ...shared], { signal: gone.signal });
    await expect.poll(() => asked.length).toBe(100);
    const second = servers.findAll(shared);
    gone.abort();
    release();
    await first;
    expect(states(await second)).toEqual(new Set(['mail']));
    expect(asked.filter((domain) => shared.includes(domain)).sort()).toEqual(shared);
  });
});
