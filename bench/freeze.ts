import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { fillWorkspace } from './large-workspace.ts';
import { percentile, startProduct } from './product.ts';
import { report } from './report.ts';

/**
 * A campaign to everybody in a large workspace: how long its recipients take to be written down,
 * and how long its page takes once it was sent. The mail server is away, so that nothing is sent
 * meanwhile; what the sends became is written by SQL.
 *
 *     node bench/freeze.ts [--people 5000000]
 */
const { values } = parseArgs({ options: { people: { type: 'string', default: '5000000' } } });
const people = Number(values.people);
/** Seconds for five million, and milliseconds for a call. */
const goal = { seconds: (30 * people) / 5_000_000, ms: 150 };

const dataDir = makeDataDir();
const product = await startProduct(dataDir, {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'a@harbour.co.uk',
});
const owner = new pg.Client({ connectionString: product.ownerUrl });
try {
  await owner.connect();
  const { cookie, workspaceId } = await signUpAt(product.url);
  await fillWorkspace(owner, { url: product.ownerUrl, workspaceId, rows: people });
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
  await call('POST', '/api/sender-domains', { domain: 'harbour.co.uk' });
  await call('PATCH', '/api/settings', {
    sender: {
      ...{ fromName: 'Harbour & Pine', fromAddress: 'news@harbour.co.uk', company: 'Harbour & Pine' },
      postalAddress: '14 Quay Street',
    },
  });

  const copying = performance.now();
  await owner.query(
    `create unlogged table yardstick as select workspace_id, id, local, domain from contacts where workspace_id = ${workspaceId}`,
  );
  await owner.query('alter table yardstick add primary key (workspace_id, id)');
  const yardstick = (performance.now() - copying) / 1000;
  await owner.query('drop table yardstick');

  const { id } = await call('POST', '/api/campaigns', {
    ...{ name: 'News', subject: 'News', content: 'Dear {{ name }}', template: 'simple' },
  });
  const began = performance.now();
  await call('POST', `/api/campaigns/${id}/send`);
  let campaign = await call('GET', `/api/campaigns/${id}`);
  while (campaign.totalRecipients === 0) {
    await sleep(100);
    campaign = await call('GET', `/api/campaigns/${id}`);
  }
  const seconds = (performance.now() - began) / 1000;
  report({
    promise: `Write down the ${campaign.totalRecipients} recipients of a campaign to ${people} contacts`,
    figure: `${seconds.toFixed(1)} s (a bare copy of them with its key takes ${yardstick.toFixed(1)} s)`,
    against: `${goal.seconds} s`,
    ratio: seconds / goal.seconds,
  });

  await call('POST', `/api/campaigns/${id}/pause`);
  await owner.query(
    `update sends set state = case when id % 200 = 0 then 'failed' else 'sent' end, attempts = 1, handed_at = now(), ended_at = now(),
       reason = case when id % 200 = 0 then 'refused' end, reply = '250 2.0.0 Ok: queued'
     where workspace_id = ${workspaceId} and state = 'pending'`,
  );
  await owner.query('vacuum analyze sends');
  await owner.query(
    `update send_parts p set status = 'done', lease = null, sent = f.sent, failed = p.total - f.sent
     from send_parts q cross join lateral (
       select count(*) filter (where s.state = 'sent') as sent from sends s
       where s.workspace_id = q.workspace_id and s.mailing_id = q.mailing_id and s.id between q.first_send and q.last_send
     ) f where q.workspace_id = ${workspaceId} and p.workspace_id = q.workspace_id and p.id = q.id`,
  );
  await owner.query(
    `update mailings set status = 'completed', ended_at = now() where workspace_id = ${workspaceId}`,
  );
  // A third have opened it, a few have clicked, and hardly anybody has left.
  await owner.query(
    `insert into tracked_sends (workspace_id, mailing_id, send_id, contact_id, opened_at, human_opened_at, clicked_at,
       human_clicked_at, left_at)
     select workspace_id, mailing_id, id, contact_id, now(), case when id % 2 = 0 then now() end,
       case when id % 60 = 0 then now() end, case when id % 60 = 0 then now() end, case when id % 6000 = 0 then now() end
     from sends where workspace_id = ${workspaceId} and state = 'sent' and id % 3 = 0`,
  );
  await owner.query(
    `insert into bounces (workspace_id, mailing_id, send_id, contact_id, local, domain, event, class, kind, fault, source,
       said, counts, is_due)
     select workspace_id, mailing_id, id, contact_id, local, domain, 'bounce', 'hard', 'full', 'address', 'reply', '552',
       false, false
     from sends where workspace_id = ${workspaceId} and state = 'failed'`,
  );
  await owner.query('vacuum analyze');
  const paths = [
    '/api/campaigns',
    `/api/campaigns/${id}`,
    `/api/campaigns/${id}/report`,
    `/api/campaigns/${id}/recipients?limit=50`,
    `/api/campaigns/${id}/recipients?state=failed&limit=50`,
    ...['got', 'opened', 'clicked', 'left', 'bounced'].map(
      (did) => `/api/campaigns/${id}/recipients?did=${did}&limit=50`,
    ),
    `/api/campaigns/${id}/recipients?did=clicked&state=failed&limit=50`,
    `/api/campaigns/${id}/recipients?search=person.${people - 1}@&limit=50`,
    `/api/campaigns/${id}/recipients?search=person.${String(people - 1).slice(0, -1)}&limit=50`,
    `/api/campaigns/${id}/recipients?search=person.1&limit=50`,
    `/api/campaigns/${id}/recipients?search=nobody.has.this&limit=50`,
  ];
  for (const path of paths) {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const asked = performance.now();
      await call('GET', path);
      times.push(performance.now() - asked);
    }
    const p95 = percentile(times, 95);
    report({
      promise: `GET ${path.replace(`/${id}`, '/:id')}`,
      figure: `p50 ${percentile(times, 50).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      against: `${goal.ms} ms`,
      ratio: p95 / goal.ms,
    });
  }
} finally {
  await owner.end();
  await product.stop();
  removeDataDir(dataDir);
}
