// Tests of: apps
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { textRows, workbook } from '#test/support/workbooks.ts';

const command = fileURLToPath(new URL('../../scripts/email-manager.mjs', import.meta.url));
const cli = fileURLToPath(new URL('../../src/apps/cli.ts', import.meta.url));

// Every run is its own process, and some tests need several.
vi.setConfig({ testTimeout: 90_000 });

let folder: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'email-manager-cli-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Runs `email-manager` in the test's folder. */
function run(args: string[], { input = '', node = process.execPath, script = cli } = {}) {
  const { status, stdout, stderr } = spawnSync(node, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
  });
  return { status, stdout, stderr };
}

function start(args: string[]): ChildProcess {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  // It may end before it has read all its input. Some tests are about exactly that.
  child.stdin?.on('error', () => undefined);
  return child;
}

const list = [
  'email,name',
  'jo@acme.co.uk,Jo',
  'JO@ACME.CO.UK,Jo again',
  '"Sam <sam@leeds.nhs.uk>",=1+1',
  'not-an-address,X',
  'pat@firma.de,Pat',
  ',Empty',
  '',
].join('\n');

describe('how a file is read', () => {
  it('is as the person says, where the detection is wrong', () => {
    write('titles.csv', 'Email,Name\nsam@acme.co.uk,Sam\njo@acme.co.uk,Jo\n');
    const titles = run(['clean', 'titles.csv', '-o', '-', '--title-lines', '2', '--no-header']);
    expect(titles.stdout).toBe('jo@acme.co.uk,Jo\r\n');
    expect(titles.stderr).toContain('2 lines above the first row were skipped');

    write('quotes.csv', "email,name\njo@acme.co.uk,'Smith, Jo'\n");
    const kept = (quote: string) => run(['clean', 'quotes.csv', '-o', '-', '--quote', quote]).stdout;
    expect(kept('single')).toContain('jo@acme.co.uk,"Smith, Jo"');
    expect(kept("'")).toBe(kept('single'));
    expect(kept('none')).toContain("jo@acme.co.uk,'Smith");
    expect(kept('double')).toBe(kept('none'));
  });

  it.each([
    [['--quote', 'round'], '--quote is double, single or none, not “round”.'],
    [['--quote', 'constructor'], '--quote is double, single or none, not “constructor”.'],
    [['--title-lines', '21'], '--title-lines is a number from 0 to 20, not “21”.'],
    [['--title-lines=-1'], '--title-lines is a number from 0 to 20, not “-1”.'],
    [['--title-lines', 'two'], '--title-lines is a number from 0 to 20, not “two”.'],
  ])('%j is wrong use', (flags, message) => {
    write('in.csv', list);
    const { status, stderr } = run(['clean', 'in.csv', '-o', '-', ...flags]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is told with slips and a line for each UK class, without a preview too', () => {
    const rows = ['a@gmial.com', 'b@btinternet.com', 'c@gmail.com', 'd@firma.de', 'e@acme.co.uk'];
    write('in.csv', ['email', ...rows].join('\n'));
    const { stderr } = run(['clean', 'in.csv', '-o', 'out.csv']);
    expect(stderr).toContain('1 row has a probable slip in the domain: gmial.com for gmail.com 1.');
    expect(stderr).toContain(
      'are left out as non-UK:\n  1 at British organisations and providers: btinternet.com 1\n',
    );
    expect(stderr).toContain('\n  1 at worldwide providers: gmail.com 1\n');
    expect(stderr).toContain('\n  --uk-policy likely keeps the British ones\n');
  });
});

it.each(['jo@acme.co.uk (home),Jo', 'jo@acme,Jo'])(
  'the row %s has a fate, although it is the first of a file without headings',
  (line) => {
    write('list.csv', `${line}\nsam@leeds.nhs.uk,Sam\n`);
    const { stdout } = run(['clean', 'list.csv', '--preview', '--json']);
    const { imported, invalid } = JSON.parse(stdout) as Record<string, number>;
    expect((imported ?? 0) + (invalid ?? 0)).toBe(2);
  },
);

describe('beside the product', () => {
  let product: TestApp;
  let person: SignedIn;
  beforeAll(async () => {
    product = await openTestApp();
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    person = await signUp(product.app);
  });

  const get = (url: string) => product.app.inject({ method: 'GET', url, headers: { cookie: person.cookie } });
  const send = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    product.app.inject({ method, url, headers: { cookie: person.cookie }, payload });

  /**
   * Runs the same file through the product and the command, with the workspace's own settings and
   * suppression lists.
   */
  async function bothWays(csv: Buffer, options: Record<string, unknown>, flags: string[], reading?: object) {
    write('in.csv', csv);
    write('settings.json', (await get('/api/settings')).body);
    write('emails.csv', (await get('/api/suppressions/export?kind=emails')).body);
    write('domains.csv', (await get('/api/suppressions/export?kind=domains')).body);
    const lists = options.checkSuppressions === false ? [] : ['-s', 'emails.csv', '-s', 'domains.csv'];
    const ours = run(
      [
        'clean',
        'in.csv',
        '-o',
        'clean.csv',
        '-r',
        'rejects.csv',
        '--settings',
        'settings.json',
        '--json',
      ].concat(lists, flags),
    );
    expect(ours.stderr).toBe('');
    const answer = await importCsv(product.app, person.cookie, csv, {
      options,
      ...(reading ? { reading } : {}),
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const { id, imported, duplicates, invalid, suppressed, nonUk } = answer.json();
    const server = { imported, duplicates, invalid, suppressed, nonUk };
    return { ours: JSON.parse(ours.stdout), server, receipt: (await get(`/api/imports/${id}/receipt`)).body };
  }

  const suppressedAddresses = ['jane@acme.co.uk', 'bob.smith@leeds.ac.uk'];
  const suppressedDomains = ['zen.co.uk', 'talk21.co.uk'];
  const suppress = async () => {
    for (const email of suppressedAddresses)
      await send('POST', '/api/suppressions/email/manual', { email, reason: 'unsubscribed' });
    for (const domain of suppressedDomains) await send('POST', '/api/suppressions/domain', { domain });
  };

  it('gives every row the fate and the reason that an import gives it', async () => {
    await suppress();
    const rows = dirtyRows({ rows: 20_000, seed: 11, suppressedAddresses, suppressedDomains });
    const { ours, server, receipt } = await bothWays(Buffer.concat([...rows]), {}, []);
    expect(server).toEqual(rows.expected());
    expect(ours).toMatchObject(server);
    expect(read('rejects.csv')).toBe(receipt);
    const exported = await get('/api/emails/export');
    const addresses = (csv: string) =>
      csv
        .trimEnd()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(',')[0]?.replaceAll('"', ''))
        .sort();
    const kept = addresses(read('clean.csv'));
    expect(kept).toHaveLength(server.imported);
    expect(kept).toEqual(addresses(exported.body));
  });

  it('agrees with the import about whom the file itself says not to mail', async () => {
    await suppress();
    const csv = [
      'Email Address,Name,Status,UNSUB_TIME,Accepts Marketing,Deceased on',
      'jo@acme.co.uk,Jo,Subscribed,,yes,',
      'jane@acme.co.uk,Jane,Unsubscribed,2024-03-03 10:00:00,,',
      'ann@acme.co.uk,Ann,Active,,no,',
      'ann@acme.co.uk,Ann,Bounced,,yes,',
      'pat@firma.de,Pat,Unsubscribed,03/04/2023,,',
      'pat@firma.de,Pat,Subscribed,,,',
      'sam@zen.co.uk,Sam,Cleaned,,,12/11/2021',
      'sam@zen.co.uk,Sam,Subscribed,,,',
      'sue@acme.co.uk,Sue,Subscribed,,,12/11/2021',
      'sue@acme.co.uk,Sue,,2022-02-02 02:02:02,,',
      'not an address,Tim,Unsubscribed,,,',
      'a@acme.co.uk; b@acme.co.uk,Two,Unsubscribed,,,',
      'b@acme.co.uk,Two,Subscribed,,,',
    ].join('\n');
    for (const flags of [[], ['--keep-duplicates'], ['--no-validate'], ['--keep-non-uk']]) {
      person = await signUp(product.app);
      await suppress();
      const options = {
        removeDuplicates: flags[0] !== '--keep-duplicates',
        validateEmails: flags[0] !== '--no-validate',
        filterNonUk: flags[0] !== '--keep-non-uk',
      };
      const { ours, server, receipt } = await bothWays(Buffer.from(csv), options, flags);
      expect({ flags, ...ours }).toMatchObject({ flags, ...server });
      expect(read('rejects.csv')).toBe(receipt);
      expect(server.suppressed).toBeGreaterThan(8);
    }
  });

  it('agrees with the import about columns that a person says are about mailing', async () => {
    const csv = [
      'email,Left on,Comment,Opted in',
      'ann@acme.co.uk,2024-02-03,fine,',
      'bob@acme.co.uk,,,no',
      'cat@acme.co.uk,no,,yes',
      'dan@firma.de,gone,,',
      'ann@acme.co.uk,,,',
    ].join('\n');
    for (const [targets, flags] of [
      [
        ['doNotMail', 'skip', 'doNotMail'],
        ['--do-not-mail', 'Left on'],
      ],
      [
        ['skip', 'doNotMail', 'doNotMail'],
        ['--do-not-mail', 'Comment', '--do-not-mail', '4'],
      ],
      [
        ['doNotMail', 'skip', 'skip'],
        ['--do-not-mail', 'Left on', '--keep-opt-outs'],
      ],
    ] as const) {
      person = await signUp(product.app);
      const reading = { columns: ['email', ...targets] };
      const { ours, server, receipt } = await bothWays(Buffer.from(csv), {}, [...flags], reading);
      expect({ flags, ...ours }).toMatchObject({ flags, ...server });
      expect(read('rejects.csv')).toBe(receipt);
      expect(server.suppressed).toBeGreaterThan(1);
    }
  });

  it('agrees with the import under other settings and with rules off', async () => {
    await suppress();
    await send('PATCH', '/api/settings', {
      emailValidation: { strictValidation: false, ukPolicy: 'likely', allowedDomains: ['.co.uk', '.de'] },
    });
    const strange = [
      'a@[192.0.2.1],x,,',
      '"""q q""@acme.co.uk",,,',
      "'+tag@acme.co.uk,,,",
      'Jo <JO@münchen.de>,,,',
      'a@b,,,',
      'plain text,,,',
      'plain text,again,,',
      'x@,,,',
      'unclosed@acme.co.uk,"oops,,',
      'jané@acme.co.uk,,,',
      '',
    ].join('\n');
    const rows = dirtyRows({ rows: 3_000, seed: 12, suppressedDomains });
    const csv = Buffer.concat([...rows, Buffer.from(strange)]);
    for (const [options, flags] of [
      [{}, []],
      [{ validateEmails: false, filterNonUk: false }, ['--no-validate', '--keep-non-uk']],
      [{ removeDuplicates: false, checkSuppressions: false }, ['--keep-duplicates']],
      [{ ukPolicy: 'any_but_foreign_cctld' }, ['--uk-policy', 'any_but_foreign_cctld']],
    ] as [Record<string, unknown>, string[]][]) {
      person = await signUp(product.app);
      await suppress();
      await send('PATCH', '/api/settings', {
        emailValidation: { strictValidation: false, ukPolicy: 'likely', allowedDomains: ['.co.uk', '.de'] },
      });
      const { ours, server, receipt } = await bothWays(csv, options, flags);
      expect({ flags, ...ours }).toMatchObject({ flags, ...server });
      expect(read('rejects.csv')).toBe(receipt);
    }
  });
});

describe('what is written', () => {
  it('keeps the columns, repairs the address and makes formulas harmless', () => {
    write('in.csv', list);
    const { status, stdout, stderr } = run([
      'clean',
      'in.csv',
      '--out',
      'clean.csv',
      '--rejects',
      'rejects.csv',
    ]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(read('clean.csv')).toBe("email,name\r\njo@acme.co.uk,Jo\r\nsam@leeds.nhs.uk,'=1+1\r\n");
    expect(read('rejects.csv')).toContain('3,duplicate,Same as line 2,"JO@ACME.CO.UK,Jo again"\r\n');
    expect(stderr).toMatch(/^6 rows in in\.csv/);
    expect(stderr).toMatch(/^Kept +2 +33\.3%$/m);
    expect(readdirSync(folder).sort()).toEqual(['clean.csv', 'in.csv', 'rejects.csv']);
  });

  it('reads standard input and writes standard output, the counts beside it', () => {
    const { status, stdout, stderr } = run(['clean', '-', '--out', '-', '--json', '--columns', 'Name,1'], {
      input: list,
    });
    expect(status).toBe(0);
    expect(stdout).toBe("name,email\r\nJo,jo@acme.co.uk\r\n'=1+1,sam@leeds.nhs.uk\r\n");
    expect(JSON.parse(stderr)).toMatchObject({ rows: 6, imported: 2, duplicates: 1, invalid: 2, nonUk: 1 });
  });

  it('adds what the judge says of each address', () => {
    write('in.csv', 'email\ninfo@acme.co.uk\n');
    run(['clean', 'in.csv', '--out', 'clean.csv', '--verdicts']);
    expect(read('clean.csv')).toBe(
      'email,verdict,reasons,risk,suggestion,uk,kind\r\ninfo@acme.co.uk,valid,role,10,,uk,role\r\n',
    );
  });

  it('shows in a preview what would be, and writes nothing', () => {
    write('in.csv', list);
    const { status, stdout } = run(['clean', 'in.csv', '--preview', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ imported: 2, columns: [{ name: 'email' }, { name: 'name' }] });
    expect(JSON.parse(stdout).sample[1]).toMatchObject({ line: 3, fate: 'duplicate', why: 'Same as line 2' });
    expect(readdirSync(folder)).toEqual(['in.csv']);
  });

  it('finds addresses, domains and hashes of suppression lists, and tells of lines it cannot read', () => {
    write('list.txt', 'email\n@leeds.nhs.uk\nneither\n');
    write('hash.txt', `${createHash('sha256').update('jo@acme.co.uk').digest('hex')}\n`);
    write('in.csv', list);
    const { stdout } = run([
      'clean',
      'in.csv',
      '--out',
      '/dev/null',
      '-s',
      'list.txt',
      '-s',
      'hash.txt',
      '--json',
    ]);
    const { suppressed, imported, suppressions } = JSON.parse(stdout);
    expect({ suppressed, imported }).toEqual({ suppressed: 3, imported: 0 });
    expect(suppressions).toMatchObject({ unread: 1, firstUnread: { file: 'list.txt', line: 3 } });
  });

  it('replaces the file that a link leads to, not the link', () => {
    write('in.csv', list);
    write('real.csv', 'before');
    symlinkSync('real.csv', join(folder, 'link.csv'));
    run(['clean', 'in.csv', '--out', 'link.csv']);
    expect(read('real.csv')).toContain('jo@acme.co.uk');
  });
});

describe('columns that say who must not be mailed', () => {
  const members = [
    'Email Address,Status,UNSUB_TIME,Deceased,Town',
    'jo@acme.co.uk,Subscribed,,,Leeds',
    'al@acme.co.uk,Unsubscribed,2024-03-03 09:12:44,,Hull',
    'bo@acme.co.uk,Cleaned,,,Ely',
    'cy@acme.co.uk,Subscribed,,Yes,Bath',
    'di@firma.de,Unsubscribed,2024-03-03 09:12:44,,Kiel',
    'ed@acme.co.uk,Subscribed,,,Ayr',
    'Ed <ED@acme.co.uk>,Bounced,,,Ayr',
    'ed@acme.co.uk,,2023-05-06 00:00:00,,Ayr',
    'no-address,Unsubscribed,,,Ayr',
    'pat@firma.de,Subscribed,,,Kiel',
    '',
  ].join('\n');
  const clean = (...flags: string[]) =>
    run(['clean', 'in.csv', '-o', 'out.csv', '-r', 'rejects.csv', ...flags]);
  const kept = () => [...read('out.csv').matchAll(/^(\w+@\S+?),/gm)].map(([, address]) => address);

  it('leaves these people out, with the reason and the date, in each row of theirs', () => {
    write('in.csv', members);
    const { status, stderr } = clean();
    expect(status).toBe(0);
    expect(kept()).toEqual(['jo@acme.co.uk']);
    expect(
      read('rejects.csv')
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.replace(/,[^,"]*$|,"[^"]*"$/, '')),
    ).toEqual([
      '3,suppressed,"Unsubscribed on 3 Mar 2024, says the file"',
      '4,suppressed,"Bounced, says the file"',
      '5,suppressed,"Not to be mailed, says the file"',
      '6,suppressed,"Unsubscribed on 3 Mar 2024, says the file"',
      '7,suppressed,"Unsubscribed on 6 May 2023, says the file"',
      '8,suppressed,"Unsubscribed on 6 May 2023, says the file"',
      '9,suppressed,"Unsubscribed on 6 May 2023, says the file"',
      expect.stringMatching(/^10,invalid,/),
      expect.stringMatching(/^11,nonUk,/),
    ]);
    expect(stderr).toMatch(/^Suppressed +7 /m);
    expect(stderr).toContain('Column “Status” speaks against mailing in 2 rows.');
    expect(stderr).toContain('Column “UNSUB_TIME” speaks against mailing in 3 rows.');
    expect(stderr).toContain('Column “Deceased” speaks against mailing in 1 row.');
    expect(stderr).toContain('These people are left out as suppressed: --keep-opt-outs keeps them.');
  });

  it('holds for the address that was meant, where slips are mended', () => {
    write('in.csv', 'email,status\njo@hotmail.co.uk,Subscribed\njo@hotmial.co.uk,Unsubscribed\n');
    clean('--mend-slips');
    expect(kept()).toEqual([]);
    clean();
    expect(kept()).toContain('jo@hotmail.co.uk');
  });

  it('notices a word that stands only below the rows it looked at first', () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `p${at}@acme.co.uk,Active`);
    write(
      'in.csv',
      ['email,status', ...rows, 'al@acme.co.uk,Unsubscribed', 'bo@acme.co.uk,Archived'].join('\n'),
    );
    const { stderr } = clean();
    expect(read('rejects.csv')).toContain('5002,suppressed,"Unsubscribed, says the file"');
    expect(kept()).toHaveLength(5_001);
    expect(stderr).toContain('Column “status” speaks against mailing in 1 row.');
  });

  it('from standard input, which is read once, in the rows that follow', () => {
    const { stdout, stderr } = run(['clean', '-', '-o', '-', '--json'], {
      input: 'email,opted out\njo@acme.co.uk,no\njo@acme.co.uk,yes\njo@acme.co.uk,no\nal@acme.co.uk,no\n',
    });
    expect(stdout).toBe('email,opted out\r\njo@acme.co.uk,no\r\nal@acme.co.uk,no\r\n');
    expect(JSON.parse(stderr)).toMatchObject({
      imported: 2,
      suppressed: 2,
      doNotMail: [{ name: 'opted out', rows: 1 }],
    });
  });

  it('tells programs the same, and in a preview too', () => {
    write('in.csv', members);
    const { stdout } = run(['clean', 'in.csv', '--preview', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      imported: 1,
      suppressed: 7,
      nonUk: 1,
      doNotMail: [
        { name: 'UNSUB_TIME', rows: 3 },
        { name: 'Status', rows: 2 },
        { name: 'Deceased', rows: 1 },
      ],
      unclear: [],
    });
  });

  it('asks what a blank means in a column of ticks, and does as the person says', () => {
    write('in.csv', 'email,Newsletter\njo@acme.co.uk,Yes\nal@acme.co.uk,\nbo@acme.co.uk,No\n');
    expect(clean().stderr).not.toContain('Warning');
    write('in.csv', 'email,Newsletter\njo@acme.co.uk,Yes\nal@acme.co.uk,\n');
    expect(clean().stderr).toContain('--do-not-mail "Newsletter="');
    expect(kept()).toEqual(['jo@acme.co.uk', 'al@acme.co.uk']);
    expect(clean('--do-not-mail', 'Newsletter=').stderr).not.toContain('Warning');
    expect(kept()).toEqual(['jo@acme.co.uk']);
  });

  it('asks it although the first blank cell stands far down', () => {
    const rows = Array.from({ length: 2_100 }, (_, i) => `a${i}@acme.co.uk,${i < 2_090 ? 'Yes' : ''}\n`);
    write('in.csv', `email,Newsletter\n${rows.join('')}`);
    expect(clean().stderr).toContain('“Newsletter” is blank in 10 rows of those looked at');
    expect(clean('--do-not-mail', 'Newsletter').stderr).not.toContain('Warning');
  });

  it('with columns that are not written', () => {
    write('in.csv', members);
    clean('--columns', 'Email Address,Town');
    expect(kept()).toEqual(['jo@acme.co.uk']);
  });

  it('keeps them where that is asked for', () => {
    write('in.csv', members);
    const { stderr } = clean('--keep-opt-outs');
    expect(kept()).toEqual([
      'jo@acme.co.uk',
      'al@acme.co.uk',
      'bo@acme.co.uk',
      'cy@acme.co.uk',
      'ed@acme.co.uk',
    ]);
    expect(stderr).not.toContain('against mailing');
  });

  it('warns of a column that it does not understand, and does as the person says', () => {
    write(
      'in.csv',
      'email,Unsubscribed\njo@acme.co.uk,Red\nal@acme.co.uk,Blue\nbo@acme.co.uk,RED \ncy@acme.co.uk,\n',
    );
    const { stderr, status } = clean();
    expect({ status, kept: kept().length }).toEqual({ status: 0, kept: 4 });
    expect(stderr).toContain('Warning: column “Unsubscribed” may say who must not be mailed.');
    expect(stderr).toContain('--do-not-mail "Unsubscribed=Red"');
    expect(clean('--do-not-mail', 'Unsubscribed=Red').stderr).not.toContain('Warning');
    expect(kept()).toEqual(['al@acme.co.uk', 'cy@acme.co.uk']);
    expect(read('rejects.csv')).toContain('2,suppressed,"Not to be mailed, says the file",');
    clean('--do-not-mail', 'unsubscribed');
    expect(kept()).toEqual(['cy@acme.co.uk']);
    clean('--do-not-mail', '2=Blue,Red', '--keep-opt-outs');
    expect(kept()).toEqual(['cy@acme.co.uk']);
    expect(clean('--do-not-mail', 'Colour=Red')).toMatchObject({ status: 2 });
  });

  it('leaves a column about something else alone', () => {
    write('in.csv', 'email,Status,SMS opt out\njo@acme.co.uk,Paid,yes\nal@acme.co.uk,Archived,no\n');
    const { stderr } = clean();
    expect(kept()).toEqual(['jo@acme.co.uk', 'al@acme.co.uk']);
    expect(stderr).not.toContain('Warning');
  });
});

describe('what goes wrong', () => {
  it.each([
    [['clean', 'in.csv', '--colour'], 'There is no option --colour.'],
    [['clean', 'in.csv'], 'Say where the cleaned list goes with --out, or look first with --preview.'],
    [['clean', 'in.csv', '--out'], '--out needs a value behind it.'],
    [['clean', 'in.csv', '--out', './in.csv'], './in.csv is read from, so it is not written over.'],
    [
      ['clean', 'in.csv', '--settings', 'rules.json', '--out', './rules.json'],
      './rules.json is read from, so it is not written over.',
    ],
    [['clean', 'in.csv', '--out', 'link.csv'], 'link.csv is read from, so it is not written over.'],
    [['clean', 'in.csv', '--out', 'a', '--rejects', './a'], '--out and --rejects name the same place.'],
    [['clean', 'in.csv', '--out', 'a', '--uk-policy', 'x'], '--uk-policy is one of suffix, likely'],
    [['clean', 'in.csv', '--out', 'a', '--allowed-domains', 'a b'], '“a b” is not a domain ending.'],
    [['clean', 'in.csv', '--out', 'a', '--columns', 'town'], 'There is no column “town”.'],
    [['verify'], 'Name the addresses to verify'],
    [['polish'], 'There is no command “polish”'],
    [[], 'Say what to do: clean or verify.'],
  ])('says of %j what is wrong with it and exits with 2', (args, sentence) => {
    write('in.csv', list);
    symlinkSync('in.csv', join(folder, 'link.csv'));
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(readdirSync(folder)).toEqual(['in.csv', 'link.csv']);
    expect(read('in.csv')).toBe(list);
  });

  it.each([
    ['%PDF-1.7 …', 'This is a PDF document'],
    ['', 'This file is empty.'],
    ['a,b\n1,2\n', 'No column holds email addresses.'],
    ['email\n\n  \n', 'There are no addresses in this file'],
  ])('exits with 1 for the file %j and leaves an earlier result alone', (content, sentence) => {
    write('in.csv', content);
    write('clean.csv', 'earlier');
    const { status, stderr } = run(['clean', 'in.csv', '--out', 'clean.csv', '--rejects', 'rejects.csv']);
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
    expect(read('clean.csv')).toBe('earlier');
    expect(readdirSync(folder).sort()).toEqual(['clean.csv', 'in.csv']);
  });

  it('exits with 1 for files and settings that cannot be read', () => {
    write('in.csv', list);
    write('settings.json', '{"emailValidation":{"strictValidatoin":false}}');
    const ofSettings = run(['clean', 'in.csv', '--out', 'a', '--settings', 'settings.json']);
    expect(ofSettings).toMatchObject({ status: 1 });
    expect(ofSettings.stderr).toContain('strictValidatoin');
    expect(run(['clean', 'none.csv', '--out', 'a']).stderr).toContain('There is no file none.csv.');
    expect(run(['clean', '.', '--out', 'a']).stderr).toContain('. is a folder, not a file.');
    expect(run(['clean', 'in.csv', '--out', 'no/a']).stderr).toContain('There is no folder no.');
    expect(readdirSync(folder).sort()).toEqual(['in.csv', 'settings.json']);
  });

  it('exits with 3 for rows left out where that was asked for', () => {
    write('in.csv', list);
    expect(run(['clean', 'in.csv', '--out', 'clean.csv', '--fail-on-rejects']).status).toBe(3);
    expect(read('clean.csv')).toContain('jo@acme.co.uk');
    expect(run(['clean', 'clean.csv', '--out', 'again.csv', '--fail-on-rejects']).status).toBe(0);
    expect(read('again.csv')).toBe(read('clean.csv'));
  });

  it('removes what is not whole when it is interrupted', async () => {
    const child = start(['clean', '-', '--out', 'clean.csv', '--rejects', 'rejects.csv']);
    // More than the head used for detection, and no end, so the work has begun and continues.
    child.stdin?.write(Buffer.concat([...dirtyRows({ rows: 40_000 })]));
    while (readdirSync(folder).length < 2) await sleep(20);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says what was written before the other file could not be', async () => {
    const child = start(['clean', '-', '--out', 'clean.csv', '--rejects', 'rejects.csv']);
    let told = '';
    child.stderr?.on('data', (text) => {
      told += text;
    });
    child.stdin?.write(Buffer.concat([...dirtyRows({ rows: 40_000 })]));
    while (readdirSync(folder).length < 2) await sleep(20);
    mkdirSync(join(folder, 'rejects.csv'));
    child.stdin?.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(told).toContain('rejects.csv is a folder, not a file.\nOnly clean.csv was written.');
    expect(readdirSync(folder).sort()).toEqual(['clean.csv', 'rejects.csv']);
  });

  it('is quiet when nobody reads on', async () => {
    write('in.csv', Buffer.concat([...dirtyRows({ rows: 60_000 })]));
    const child = start(['clean', 'in.csv', '--out', '-', '--rejects', 'rejects.csv']);
    let told = '';
    child.stderr?.on('data', (text) => {
      told += text;
    });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [code] = await once(child, 'close');
    expect({ code, told }).toEqual({ code: 1, told: '' });
    expect(readdirSync(folder)).toEqual(['in.csv']);
  });
});

describe('the command itself', () => {
  it('verifies single addresses, for people and for programs', () => {
    const text = run(['verify', 'jo@gmial.com', 'x@@y']);
    expect(text.stdout).toContain('jo@gmial.com: risky, risk 60 of 100');
    expect(text.stdout).toContain('Perhaps jo@gmail.com');
    const json = run(['verify', '-', '--json', '--fail-on-rejects'], { input: 'jo@acme.co.uk\n\nx@@y\n' });
    expect(json.status).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { input: 'jo@acme.co.uk', verdict: 'valid', isAllowed: true },
      { input: 'x@@y', verdict: 'invalid' },
    ]);
  });

  it('helps, in lines that fit a terminal', () => {
    for (const args of [['--help'], ['clean', '--help'], ['verify', '-h']]) {
      const { status, stdout } = run(args);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: email-manager /);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
    expect(run(['--version']).stdout).toMatch(/^email-manager \d+\.\d+\.\d+\n$/);
  });

  it('runs from any folder under the Node that is there', () => {
    // Prefer the machine's own Node.js to the project's, because that is what people run it with.
    const others = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
    const node = others
      .map((path) => join(path, 'node'))
      .find((path) => spawnSync(path, ['--version']).status === 0);
    write('in.csv', list);
    const by = { node: node ?? process.execPath, script: command };
    const { status, stdout } = run(['clean', 'in.csv', '--out', '-'], by);
    expect(status).toBe(0);
    expect(stdout).toContain('sam@leeds.nhs.uk');
    // The command's own exit code passes through both processes.
    expect(run(['wrong'], by).status).toBe(2);
  });
});

describe('a workbook', () => {
  const members = [
    ['Members of May'],
    null,
    ['Email', 'Notes'],
    ['jo@acme.co.uk', 'a\nb'],
    ['nonsense'],
    ['ann@acme.co.uk'],
  ];
  const gone = [
    ['Email', 'Unsubscribed'],
    ['ann@acme.co.uk', ''],
    ['jo@acme.co.uk', 'no'],
    ['ann@acme.co.uk', 'yes'],
  ];
  const bytes = workbook({
    sheets: [
      { name: 'Members', rows: textRows(members) },
      { name: 'Gone', rows: textRows(gone) },
    ],
  });

  it('is cleaned like a CSV, with the rows of its sheet as lines', () => {
    write('list.xlsx', bytes);
    const { status, stderr } = run(['clean', 'list.xlsx', '--out', 'out.csv', '--rejects', 'rejects.csv']);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('3 rows in list.xlsx: sheet “Members”, one of 2, addresses in column “Email”');
    expect(read('out.csv')).toBe('Email,Notes\r\njo@acme.co.uk,"a\nb"\r\nann@acme.co.uk,\r\n');
    expect(read('rejects.csv')).toContain('5,invalid,');
    expect(readdirSync(folder).sort()).toEqual(['list.xlsx', 'out.csv', 'rejects.csv']);
  });

  it('is read from the sheet that is named, twice where a row says no for an earlier one', () => {
    write('list.xlsx', bytes);
    const { status, stdout, stderr } = run([
      'clean',
      'list.xlsx',
      '--sheet',
      'Gone',
      '--out',
      'out.csv',
      '--json',
    ]);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 3,
      imported: 1,
      suppressed: 2,
      sheet: { name: 'Gone', sheets: ['Members', 'Gone'] },
    });
  });

  it('may come from standard input', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'clean', '-', '--out', '-'], {
      cwd: folder,
      input: bytes,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('jo@acme.co.uk');
  });

  it('that is damaged, or has no such sheet, or is none, is refused in a sentence', () => {
    write('half.xlsx', bytes.subarray(0, bytes.length >> 1));
    write('list.xlsx', bytes);
    write('list.csv', list);
    const messageOf = (...args: string[]) => run(['clean', ...args, '--out', 'out.csv']).stderr;
    expect(messageOf('half.xlsx')).toContain('This workbook is damaged and cannot be read.');
    expect(messageOf('list.xlsx', '--sheet', 'X')).toContain('This workbook has no sheet “X”.');
    expect(messageOf('list.csv', '--sheet', 'X')).toContain('--sheet is for workbooks; list.csv is none.');
    expect(readdirSync(folder)).not.toContain('out.csv');
  });
});
