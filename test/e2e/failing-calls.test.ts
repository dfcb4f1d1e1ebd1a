// Tests of: dashboard, email-database, images, review, suppressions, templates
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { tryAll } from '#test/support/failing-calls.ts';
import { picture } from '#test/support/pictures.ts';
import { allScreens, type Samples } from '#test/support/screens.ts';
import { bring, call, inDatabaseOf, openStage, type Stage } from '#test/support/stage.ts';

// Every screen, with each of its calls failing: the group whose answer is missing says so and
// offers to try again, nothing waits for ever, and trying again brings back what was there. The
// screens come from the features' own declarations, so a new one is tried without a word here.

const administrator = 'boss@harrowgatefoods.co.uk';
let stage: Stage;

openStage(
  (opened) => {
    stage = opened;
  },
  // The calls that fail on purpose, and links without their secret.
  {
    environment: { ADMIN_EMAIL: administrator },
    mayComplain: /status of (400|401|500)|net::ERR_(FAILED|INTERNET_DISCONNECTED)|ApiError: (500|0):/,
  },
);

const fileOf = (name: string, text: string) => ({
  ...{ name, mimeType: 'text/plain' },
  buffer: Buffer.from(text),
});

/** A workspace in which every screen has something to show. Returns where its records are. */
async function fill(page: Page): Promise<Samples> {
  const rows = [
    'ann@shop.co.uk,Ann',
    'ann@gmial.com,Ann',
    'c.at@gmail.com,',
    'cat@gmail.com,',
    'no address,',
  ];
  const imported = await bring(page, `email,name\n${rows.join('\n')}\n`, { options: { filterNonUk: false } });
  const { emails } = await call(page, 'GET', '/api/emails');
  const verified = await call(page, 'POST', '/api/verifications', { dns: false });
  const pattern = { from: 'gmial.com', to: 'gmail.com' };
  const corrected = await call(page, 'POST', '/api/review/corrections/accept', { pattern });
  const { removalId } = await call(page, 'DELETE', `/api/emails/${emails.at(-1).id}`);
  await call(page, 'POST', '/api/suppressions/domain', { domain: 'elsewhere.co.uk' });
  const send = async (url: string, multipart: Parameters<Page['request']['post']>[1]) =>
    (await page.request.post(url, multipart)).json();
  const list = await send('/api/suppressions/import', {
    multipart: { reason: 'unsubscribed', file: fileOf('list.txt', 'nobody@shop.co.uk\n') },
  });
  const check = await send('/api/emails/import', {
    multipart: { dryRun: 'true', file: fileOf('next.csv', 'email\nbob@shop.co.uk\notto@firma.de\n') },
  });
  const image = await send('/api/images', {
    multipart: { file: { name: 'logo.png', mimeType: 'image/png', buffer: await picture() } },
  });
  const invited = { email: 'tom@millbanktools.co.uk', role: 'editor' };
  await call(page, 'POST', '/api/team/invitations', invited);
  const madeList = await call(page, 'POST', '/api/lists', { name: 'Trade customers' });
  const british = { field: 'domain', operator: 'ends_with', value: '.uk' };
  const rules = { isDynamic: true, segmentRules: { conditions: [british] } };
  const segment = await call(page, 'POST', '/api/lists', { name: 'British', ...rules });
  const madeTag = await call(page, 'POST', '/api/tags', { name: 'Wholesale' });
  const { items: mails } = await call(page, 'GET', '/api/outbox');
  const sender = await call(page, 'POST', '/api/sender-domains', { domain: 'acme.co.uk' });
  const written = { subject: 'News', content: 'Hello', template: 'simple' };
  const draft = await call(page, 'POST', '/api/campaigns', { ...written, name: 'Draft' });
  const sent = await call(page, 'POST', '/api/campaigns', { ...written, name: 'Sent' });
  await call(page, 'POST', `/api/campaigns/${sent.id}/send`);
  await expect
    .poll(async () => (await call(page, 'GET', '/api/outbox/messages')).items.length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  const { items: kept } = await call(page, 'GET', '/api/outbox/messages');
  // What still moves would change a screen while it is tried.
  await expect
    .poll(async () => (await call(page, 'GET', `/api/campaigns/${sent.id}`)).status)
    .toBe('completed');
  await call(page, 'POST', `/api/sender-domains/${sender.id}/check`);
  // Mail comes back from outside.
  await inDatabaseOf(
    stage.product,
    `insert into bounce_mails (workspace_id, mailing_id, send_id, sender, subject, text, source, digest)
     select workspace_id, id, 1, 'jo@shop.co.uk', 'Your message', 'She has left.', 'She has left.', '' from mailings`,
    [],
  );
  const receipt = { to: 'jo@shop.co.uk', subject: 'Receipt', html: '<p>Thank you</p>' };
  const { messages } = await call(page, 'POST', '/api/send', receipt);
  const template = { name: 'Autumn news', category: 'custom', htmlContent: '<p>Hello</p>' };
  const { id: templateId } = await call(page, 'POST', '/api/templates', template);
  return {
    '/campaigns/$id/check id': [draft.id],
    '/campaigns/$id/edit id': [draft.id],
    '/imports/$id id': [imported.id, check.id],
    '/imports/$id line': [6],
    '/email-database import': [imported.id],
    '/email-database open': [emails[0].id],
    '/bin removal': [removalId],
    '/review run': [verified.runId],
    '/review correction': [`${corrected.correctionId}&tab=history`],
    '/suppressions list': [`${list.id}&dialog=import`],
    '/lists list': [madeList.id],
    '/lists edit': [madeList.id],
    '/lists paste': [madeList.id],
    '/lists/$id id': [madeList.id],
    '/lists tag': [madeTag.id],
    '/lists/$id/rules id': [segment.id],
    '/outbox open': [mails[0].id],
    '/templates preview': [templateId],
    '/templates edit': [templateId],
    '/templates/$id id': [templateId],
    '/templates versions': [templateId],
    '/templates/images edit': [image.id],
    '/templates contact': [`${emails[0].id}&preview=${templateId}`],
    '/transactional open': [messages[0].id],
    '/sender-domains/$id id': [sender.id],
    '/campaigns send': [draft.id],
    '/campaigns resend': [sent.id],
    '/campaigns/calendar move': [draft.id],
    '/campaigns/$id id': [draft.id, sent.id],
    '/outbox/messages open': [kept[0].id],
    '/bounces open': [1],
    '/invitation/$token token': ['no-such-invitation'],
  };
}

/** Some of the groups that must show what failed. Digits of addresses are left out. */
const expected = {
  '/ GET /api/emails': ['Email preview'],
  '/ GET /api/activities': ['Recent Activity'],
  '/ what most screens call': expect.arrayContaining(['Figures', 'Import']),
  '/email-database GET /api/emails/uk': ['UK view'],
  '/email-database?open=# GET /api/emails/:id': ['Contact'],
  '/email-database?open=# GET /api/emails/:id/verification': ['Verdict'],
  '/email-database?open=# GET /api/emails/:id/timeline': ['Timeline'],
  '/imports what most screens call': expect.arrayContaining(['Recent Imports']),
  '/lists GET /api/tags': ['Tags'],
  '/lists/#/rules GET /api/segments/fields': ['Rules'],
  '/account GET /api/account/sessions': ['Sessions'],
  '/team GET /api/team/members': ['Members'],
  '/team GET /api/team/invitations': ['Invitations'],
  '/api-keys GET /api/keys': ['Keys'],
  '/admin GET /api/admin/stats': ['Figures'],
  '/admin?tab=queue GET /api/admin/jobs': ['Background jobs'],
  '/templates GET /api/templates': ['My Templates'],
  '/review?tab=runs GET /api/verifications': ['Verifications'],
};

it('shows a failed call in its group, with a way to try again, on every screen', {
  timeout: 1_500_000,
}, async () => {
  const { page } = await stage.signUp({ email: administrator, viewport: { width: 1440, height: 1400 } });
  const confirm = 'update users set email_verified = true where email = $1';
  await inDatabaseOf(stage.product, confirm, [administrator]);
  const screens = (await allScreens(await fill(page))).filter(({ access }) => access === 'signed-in');
  const { groups, problems } = await tryAll(page, screens);
  expect(problems).toEqual([]);
  expect(groups).toMatchObject(expected);
});

it('and on the screens for people who are not signed in', async () => {
  const { page } = await stage.visit();
  const samples = { '/invitation/$token token': ['no-such-invitation'] };
  const unknown = new Proxy<Samples>(samples, { get: (all, of: string) => all[of] ?? [1] });
  const screens = (await allScreens(unknown)).filter(({ access }) => access !== 'signed-in');
  expect((await tryAll(page, screens)).problems).toEqual([]);
});

it('and says at once what fails without a network, so that no dialog stays for ever', async () => {
  const { page, context } = await stage.signUp();
  await call(page, 'POST', '/api/suppressions/domain', { domain: 'elsewhere.co.uk' });
  await page.goto('/suppressions?tab=domains');
  await page.getByRole('button', { name: 'Actions for elsewhere.co.uk' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Asked by phone');
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Remove suppression' }).click();
  await page.getByRole('alert').filter({ hasText: 'Failed to remove email or domain suppression' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('searchbox').fill('nowhere');
  const failed = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await failed.getByRole('button', { name: 'Try again' }).waitFor();
  await context.setOffline(false);
  // What failed is read again by itself.
  await failed.waitFor({ state: 'hidden' });
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Actions for elsewhere.co.uk' }).waitFor();
});
