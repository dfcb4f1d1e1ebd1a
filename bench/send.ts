import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import { formOf } from '#test/support/app.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { percentile, probe, processorSecondsOf, startProduct } from './product.ts';
import { report } from './report.ts';

/**
 * A campaign over SMTP on this machine: 4 kB of HTML and text for each person, with counted links,
 * signed, ledger included. The yardstick is a pool of nodemailer with its own DKIM that sends the
 * same message to the same server in the same run. The server is Postfix's `smtp-sink` where
 * SMTP_SINK names it, otherwise a small one of our own in another process, which takes more of the
 * processor.
 *
 *     SMTP_SINK=/usr/sbin/smtp-sink node bench/send.ts [--people 50000]
 */
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '50000' },
    yardstick: { type: 'string', default: '5000' },
    sink: { type: 'boolean', default: false },
  },
});
const people = Number(values.people);
/** How many times as fast as nodemailer it has to be. */
const goal = 2.5;
const connections = 20;

const paragraph = `<p>Lovely things from the workshop, <a href="https://harbour.co.uk/new?a=1">new in</a> this week. ${'The kiln has been on all month, and the shelves show it. '.repeat(4)}</p>\n`;
const html = `<h1>Dear {{ first_name }}</h1>\n${paragraph.repeat(10)}<p><a href="https://harbour.co.uk/shop">Shop</a></p>`;

/** Takes whatever it is given. */
function ownSink(): void {
  const server = createServer({ noDelay: true }, (socket: Socket) => {
    let rest = '';
    let inData = false;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.write('220 sink\r\n');
    socket.on('data', (chunk: string) => {
      rest += chunk;
      let answers = '';
      for (;;) {
        const mark = inData ? '\r\n.\r\n' : '\r\n';
        const end = rest.indexOf(mark);
        if (end === -1) break;
        const verb = rest.slice(0, 4).toUpperCase();
        rest = rest.slice(end + mark.length);
        if (inData) {
          inData = false;
          answers += '250 taken\r\n';
        } else if (verb === 'EHLO') answers += '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
        else if (verb === 'DATA') {
          inData = true;
          answers += '354 go on\r\n';
        } else answers += verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n';
      }
      if (answers) socket.write(answers);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`port ${typeof address === 'object' ? address?.port : 0}`);
  });
}

/** `smtp-sink` wants to know whose rights it takes when root starts it. */
const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

async function startSink(): Promise<{ port: number; child: ChildProcess }> {
  const path = process.env.SMTP_SINK;
  if (path) {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const child = spawn(path, [...asNobody, '-c', `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' });
    await sleep(500);
    return { port, child };
  }
  const child = spawn(process.execPath, [import.meta.filename, '--sink'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => {
    child.stdout?.on('data', (data: Buffer) => resolve(Number(/port (\d+)/.exec(String(data))?.[1])));
  });
  return { port, child };
}

/** Messages in a second that a pool of nodemailer sends. */
async function yardstick(port: number, count: number): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const transport = createTransport({
    ...{
      host: '127.0.0.1',
      port,
      pool: true,
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
    },
    ...{ secure: false, ignoreTLS: true },
    dkim: {
      ...{ domainName: 'harbour.co.uk', keySelector: 'em1' },
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  } as object);
  const send = (n: number) =>
    transport.sendMail({
      from: { name: 'Harbour & Pine', address: 'news@harbour.co.uk' },
      to: { name: `Person ${n}`, address: `p${n}@shop${n % 50}.co.uk` },
      subject: `For Person ${n}`,
      html: html.replace('{{ first_name }}', `Person ${n}`),
      text: `Dear Person ${n},\n\n${'Lovely things from the workshop, new in this week. '.repeat(40)}`,
      list: { unsubscribe: `https://harbour.co.uk/u/${n}` },
    });
  await Promise.all(Array.from({ length: 200 }, (_, n) => send(n)));
  const began = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      await send(next);
    }
  };
  await Promise.all(Array.from({ length: connections * 2 }, lane));
  const rate = count / ((performance.now() - began) / 1000);
  transport.close();
  return rate;
}

if (values.sink) ownSink();
else {
  const sink = await startSink();
  const dataDir = makeDataDir();
  const product = await startProduct(dataDir, {
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'a@harbour.co.uk',
  });
  try {
    const { cookie } = await signUpAt(product.url);
    // biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
    const call = async (method: string, path: string, body?: object): Promise<any> => {
      const headers = { cookie, 'content-type': 'application/json' };
      const answer = await fetch(`${product.url}${path}`, {
        ...{ method, headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const lines = Array.from({ length: people }, (_, n) => `p${n}@shop${n % 50}.co.uk,Person ${n}`);
    const form = formOf([['file', `email,first name\n${lines.join('\n')}\n`, 'people.csv']]);
    await fetch(`${product.url}/api/emails/import`, {
      method: 'POST',
      headers: { ...form.headers, cookie },
      body: form.payload,
    });
    await call('POST', '/api/sender-domains', { domain: 'harbour.co.uk' });
    await call('PATCH', '/api/settings', {
      sender: {
        fromName: 'Harbour & Pine',
        fromAddress: 'news@harbour.co.uk',
        company: 'Harbour & Pine',
        postalAddress: '14 Quay Street',
      },
    });
    const theirs = await yardstick(sink.port, Number(values.yardstick));
    const { id } = await call('POST', '/api/campaigns', {
      ...{ name: 'News', subject: 'For {{ first_name }}', content: html, template: 'simple' },
    });
    const person = probe(product, cookie, { search: 'p12' });
    const used = product.processorSeconds();
    const sinkUsed = processorSecondsOf(sink.child.pid);
    const began = performance.now();
    await call('POST', `/api/campaigns/${id}/send`);
    let campaign = await call('GET', `/api/campaigns/${id}`);
    while (campaign.endedAt === null) {
      await sleep(250);
      campaign = await call('GET', `/api/campaigns/${id}`);
    }
    const seconds = (performance.now() - began) / 1000;
    const { times } = await person.stop();
    const usedNow = product.processorSeconds();
    const share = (before: number, after: number) => `${(((after - before) / people) * 1000).toFixed(2)} ms`;
    console.log(
      `Processor time for a message: product ${share(used.product, usedNow.product)}, database ${share(used.database, usedNow.database)}, sink ${share(sinkUsed, processorSecondsOf(sink.child.pid))}`,
    );
    if (campaign.sent !== people) throw new Error(`sent ${campaign.sent} of ${people}`);
    const ours = people / seconds;
    report({
      promise: `Send ${people} signed messages over SMTP`,
      figure: `${Math.round(ours)} a second`,
      against: `${goal} times ${Math.round(theirs)} of nodemailer's pool`,
      ratio: (goal * theirs) / ours,
    });
    const p95 = percentile(times, 95);
    report({
      promise: 'Calls while a campaign is sent',
      figure: `p95 ${Math.round(p95)} ms of ${times.length}`,
      against: '150 ms',
      ratio: p95 / 150,
    });
    const megabytes = product.peakMegabytes();
    report({
      promise: 'Memory while a campaign is sent',
      figure: `${Math.round(megabytes)} MB`,
      against: '600 MB',
      ratio: megabytes / 600,
    });
  } finally {
    await product.stop();
    sink.child.kill();
    removeDataDir(dataDir);
  }
}
