// Tests of: segments, lists, email-database
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { countNewCorporate, segmentEditor, thisMonth } from '#test/support/segment-editor.ts';
import { holdsNone, settle } from '#test/support/settle.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { bring, call, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let stage: SignedInStage;
let page: Page;
openStageSignedIn(
  (opened) => {
    stage = opened;
    page = opened.page;
  },
  { mayComplain: /status of (400|401|409|503)/ },
);

const figures = () => page.getByRole('region', { name: 'Contacts now' });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });

const { rule, value, addRule, choose, chooseValues } = segmentEditor(() => page);
/** The names of what this browser keeps unsaved. */
const kept = () =>
  page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('unsaved:'))");
const domainIs = (domain: string) => ({
  conditions: [{ field: 'domain', operator: 'equals', value: domain }],
});
const makeSegment = async (name: string, segmentRules: object): Promise<number> =>
  (await call(page, 'POST', '/api/lists', { name, isDynamic: true, segmentRules })).id;
const lines = (many: number) =>
  `email\n${Array.from({ length: many }, (_, at) => `person${at}@shop${at % 2}.co.uk`).join('\n')}\n`;

/** Companies and private mailboxes, British and not, half of the British companies with the tag. */
async function fill(): Promise<{ tag: number }> {
  const rows = Array.from({ length: 120 }, (_, index) => {
    const domain = ['harbourpine.co.uk', 'gmail.com', 'firma.de', 'millbank.org.uk'][index % 4];
    return `person${index}@${domain},Person ${index}`;
  });
  await bring(page, `email,name\n${rows.join('\n')}\n`, { options: { filterNonUk: false } });
  const { id: tag } = await call(page, 'POST', '/api/tags', { name: 'agency' });
  await call(page, 'POST', `/api/tags/${tag}/contacts`, { filter: { search: 'millbank' } });
  return { tag };
}

describe('the editor of segments', () => {
  it('counts “UK corporate, added this month, not tagged agency” as SQL does, everywhere', async () => {
    const { tag } = await fill();
    const expected = await countNewCorporate(stage.product, stage.somebody, tag);
    expect(expected).toBe(30);
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Create segment' }).click();
    await page.getByLabel('Name').fill('UK corporate, new');
    await addRule();
    // What is typed replaces the words of the field that is chosen.
    await expect
      .poll(() =>
        rule(1)
          .getByRole('combobox', { name: 'Field' })
          .evaluate((own) => own.matches(':focus')),
      )
      .toBe(true);
    await page.keyboard.type('uk cl');
    await page.getByRole('option', { name: 'UK Class', exact: true }).click();
    await chooseValues(1, 'UK', 'Likely UK');
    await addRule();
    await choose(2, 'Field', 'Kind of Address');
    await chooseValues(2, 'Corporate');
    await addRule();
    await choose(3, 'Field', 'Date Added');
    await choose(3, 'Operator', 'starts with');
    await value(3).fill(thisMonth());
    await page.keyboard.press('Enter');
    await addRule();
    await choose(4, 'Field', 'Tags');
    await choose(4, 'Operator', 'is none of');
    await chooseValues(4, 'agency');
    await figures().getByText(String(expected), { exact: true }).first().waitFor();
    await figures()
      .getByText(/^Exact/)
      .waitFor();
    await rule(4).getByText(String(expected), { exact: true }).waitFor();
    const sample = page.getByRole('list', { name: '10 contacts' }).getByRole('listitem');
    await expect.poll(() => sample.count()).toBe(10);
    const first = await sample.allTextContents();
    for (const words of first) expect(words).toContain('@harbourpine.co.uk');
    await page.getByRole('button', { name: 'Another sample' }).click();
    await expect.poll(() => sample.allTextContents()).not.toEqual(first);
    for (const words of await sample.allTextContents()) expect(words).toContain('@harbourpine.co.uk');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await toast('List Created').getByText('UK corporate, new fills itself by its rules.').waitFor();
    const leads = page.getByRole('link', { name: `${expected} contacts on UK corporate, new` });
    await leads.click();
    await page.getByText(`1–20 of ${expected}`).waitFor();
    const [list] = await call(page, 'GET', '/api/lists');
    const exported = await page.request.get(`/api/emails/export?list=${list.id}&format=json`);
    expect(exported.status()).toBe(200);
    expect(JSON.parse(await exported.text())).toHaveLength(expected);
  });

  it('shows an estimate at once and then the exact figure, and none of older rules', async () => {
    await bring(page, lines(25_000));
    const held: (() => void)[] = [];
    await page.route('**/api/segments/preview', async (route) => {
      if (!route.request().postDataJSON().quick) await new Promise<void>((go) => held.push(go));
      await route.fallback().catch(() => {});
    });
    const givenUp: string[] = [];
    page.on('requestfailed', (request) => givenUp.push(request.postData() ?? ''));
    await page.goto('/lists/new/rules');
    await figures().getByText('Estimate, counting…').waitFor();
    await addRule();
    await value(1).fill('shop1.');
    // Enter is not needed: what is typed counts.
    await expect.poll(() => givenUp.length).toBe(1);
    await figures().getByText('Estimate, counting…').waitFor();
    await figures()
      .getByText(/^about 1[23],/)
      .waitFor();
    await expect.poll(() => held.length).toBe(2);
    for (const go of held) go();
    await figures().getByText('12,500', { exact: true }).first().waitFor();
    await figures()
      .getByText(/^Exact/)
      .waitFor();
    await rule(1).getByText('12,500', { exact: true }).waitFor();
  });

  it('says of anybody whether she is in, and why not', async () => {
    await fill();
    await page.goto(`/lists/${await makeSegment('Gmail', domainIs('gmail.com'))}/rules`);
    await page
      .getByRole('button', { name: /^Why person\d+@gmail.com is in$/ })
      .first()
      .click();
    const card = page.getByRole('region', { name: 'Is somebody in, and why?' });
    await card.getByText(/^person\d+@gmail\.com is in: /).waitFor();
    await card.getByRole('combobox', { name: 'Contact' }).fill('person2@');
    await page.getByRole('option', { name: 'person2@firma.de' }).click();
    await card.getByText(/^person2@firma\.de is not in, because of one condition: .*gmail\.com/).waitFor();
    await card.getByText('has firma.de').waitFor();
  });

  it('shows rules that nobody can read with the reason, and never as empty', async () => {
    await fill();
    const { id: tag } = await call(page, 'POST', '/api/tags', { name: 'Gone' });
    const tagged = { conditions: [{ field: 'tags', operator: 'equals', value: String(tag) }] };
    const id = await makeSegment('Broken', tagged);
    await call(page, 'DELETE', `/api/tags/${tag}`);
    await page.goto('/lists');
    const reason = /is none of those there are/;
    await page
      .getByRole('row', { name: /Broken/ })
      .getByText(reason)
      .waitFor();
    await page.goto(`/lists/${id}/rules`);
    await figures().getByText('Nobody can tell whom these rules mean').waitFor();
    await figures().getByText(reason).waitFor();
    await rule(1).getByText(`${tag} (no longer there)`).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Sample' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await figures().getByText('120', { exact: true }).first().waitFor();
  });

  it('asks before changes are left, and keeps a rule without a value from being saved', async () => {
    const id = await makeSegment('Gmail', domainIs('gmail.com'));
    await page.goto(`/lists/${id}/rules`);
    await addRule();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await rule(2).getByText('This rule needs a value.').waitFor();
    await value(2).fill('mail');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save segment' }).click();
    await toast('List Updated').waitFor();
    expect((await call(page, 'GET', `/api/lists/${id}`)).segmentRules.conditions).toEqual([
      { field: 'domain', operator: 'equals', value: 'gmail.com' },
      { field: 'domain', operator: 'contains', value: 'mail' },
    ]);
    await page.goto(`/lists/${id}/rules`);
    await page.getByRole('button', { name: 'Remove rule 2' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await asked.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(/\/lists$/);
  });

  it('keeps what is being written when the segment cannot be read again', async () => {
    const id = await makeSegment('Gmail', domainIs('gmail.com'));
    const at = `/api/lists/${id}`;
    await page.goto(`/lists/${id}/rules`);
    await addRule();
    await value(2).fill('mail');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Mailboxes');
    // Somebody else was first, so the page reads everything again.
    await call(page, 'PATCH', at, { description: 'Theirs' });
    await page.route(`**${at}`, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not just now.' } });
    });
    const unread = page.waitForResponse((answer) => answer.url().endsWith(at) && answer.status() === 503);
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText(/Somebody has changed “Gmail” since you opened it/).waitFor();
    await unread;
    await settle(page);
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Mailboxes');
    await rule(2).getByText('mail', { exact: true }).waitFor();
    await page.unroute(`**${at}`);
    await page.getByRole('button', { name: 'Save segment' }).click();
    await toast('List Updated').waitFor();
    const [first] = domainIs('gmail.com').conditions;
    expect(await call(page, 'GET', at)).toMatchObject({
      ...{ name: 'Mailboxes', description: 'Theirs' },
      segmentRules: { conditions: [first, { field: 'domain', operator: 'contains', value: 'mail' }] },
    });
  });

  it('takes nothing more once it is being saved, and everything again where that failed', async () => {
    const id = await makeSegment('Gmail', domainIs('gmail.com'));
    await page.goto(`/lists/${id}/rules`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Google Mail');
    const held = Promise.withResolvers<void>();
    await page.route(`**/api/lists/${id}`, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await held.promise;
      const message = 'There is one already.';
      await route.fulfill({ status: 409, json: { code: 'already_exists', message } });
    });
    await page.getByRole('button', { name: 'Save segment' }).click();
    await expect.poll(() => name.isDisabled()).toBe(true);
    await expect.poll(() => value(1).isDisabled()).toBe(true);
    held.resolve();
    await page.getByText('There is one already.').waitFor();
    await expect.poll(() => name.evaluate((own) => own.matches(':focus'))).toBe(true);
    await value(1).fill('googlemail.com');
    await expect.poll(() => name.inputValue()).toBe('Google Mail');
  });

  it('is there again after the session has ended, and asks before it replaces something newer', async () => {
    const id = await makeSegment('Gmail', domainIs('gmail.com'));
    const at = `/api/lists/${id}`;
    const restored = page.getByRole('button', { name: 'Restore', exact: true });
    // What it still read would tell it that the session has ended.
    await page.goto(`/lists/${id}/rules`, { waitUntil: 'networkidle' });
    await page.getByLabel('Name', { exact: true }).fill('Google Mail');
    await page.request.post('/api/auth/sign-out', { headers: { origin: stage.product.url }, data: {} });
    // The figures are asked for, and nobody is signed in.
    await value(1).fill('google.com');
    await page.waitForURL(/\/auth\?/);
    await page.getByLabel('Email', { exact: true }).fill(stage.somebody.email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/lists\/\d+\/rules$/);
    await restored.waitFor();
    await expect.poll(() => rule(1).getByText('google.com').count()).toBe(0);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    // Somebody else is faster.
    await call(page, 'PATCH', at, { description: 'All of Google' });
    await page.reload();
    await page.getByText('A newer version was saved since.').waitFor();
    await restored.click();
    await rule(1).getByText('google.com', { exact: true }).waitFor();
    const saving = page.getByRole('button', { name: 'Save segment' });
    await saving.click();
    await page.getByText('Save again to have it your way.').waitFor();
    await saving.click();
    await toast('List Updated').waitFor();
    expect(await call(page, 'GET', at)).toMatchObject({
      ...{ name: 'Google Mail', description: 'All of Google' },
      segmentRules: {
        conditions: [{ field: 'domain', operator: 'equals', value: ['gmail.com', 'google.com'] }],
      },
    });
    await page.goto(`/lists/${id}/rules`);
    await rule(1).getByText('google.com', { exact: true }).waitFor();
    await holdsNone(restored);
  });

  it('is kept while it is not created, and forgotten once it is created or left', async () => {
    const name = page.getByLabel('Name', { exact: true });
    await page.goto('/lists/new/rules');
    await name.fill('Northern');
    await expect.poll(kept).toHaveLength(1);
    await page.reload();
    await page.getByText('They are of “Northern”.').waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect.poll(() => name.inputValue()).toBe('Northern');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await toast('List Created').waitFor();
    await page.waitForURL(/\/lists$/);
    expect(await kept()).toEqual([]);
    await page.goto('/lists/new/rules');
    await name.fill('Southern');
    await expect.poll(kept).toHaveLength(1);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(/\/lists$/);
    expect(await kept()).toEqual([]);
  });

  it('is worked with by the keyboard alone, and moves rules by mouse, too', async () => {
    const rules = ['a', 'b', 'c'].map((name) => ({ field: 'name', operator: 'contains', value: name }));
    const [first, second, third] = rules;
    const id = await makeSegment('Moved', {
      conditions: [first, second],
      groups: [{ match: 'any', conditions: [third] }],
    });
    await page.goto(`/lists/${id}/rules`);
    await page.getByRole('button', { name: /^Move rule 2/ }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.getByRole('region', { name: 'Group 1' }).getByRole('group', { name: /^Rule/ }).count())
      .toBe(2);
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(/^Move rule 2/);
    await page.getByRole('button', { name: 'Actions for rule 3' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
    await rule(4).waitFor();
    await page.getByRole('button', { name: /^Move rule 1/ }).hover();
    await page.mouse.down();
    const target = await rule(4).boundingBox();
    await page.mouse.move((target?.x ?? 0) + 200, (target?.y ?? 0) + (target?.height ?? 0) - 4, { steps: 5 });
    await page.mouse.up();
    await page.getByLabel('Name').focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' again');
    await page.getByRole('button', { name: 'Save segment' }).focus();
    await page.keyboard.press('Enter');
    await toast('List Updated').waitFor();
    expect(await call(page, 'GET', `/api/lists/${id}`)).toMatchObject({
      name: 'Moved again',
      segmentRules: { conditions: [], groups: [{ match: 'any', conditions: [second, third, third, first] }] },
    });
  });

  it('has nothing serious for axe, with rules, groups and somebody explained', async () => {
    await fill();
    const id = await makeSegment('Gmail', {
      ...domainIs('gmail.com'),
      groups: [
        { match: 'none', conditions: [{ field: 'createdAt', operator: 'before', value: '2020-01-01' }] },
      ],
    });
    await page.goto(`/lists/${id}/rules`);
    await page.getByRole('button', { name: /^Why / }).first().click();
    await page.getByText('has gmail.com').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.goto(`/lists?open=new-list`);
    await page.getByLabel('Dynamic Segment').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rule', exact: true }).click();
    await page.keyboard.press('Escape');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });
});

describe('the dialog of a list', () => {
  it('makes a dynamic list by the switch, with the specified fields and operators', async () => {
    await fill();
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Create list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Dynamic Segment').check();
    await dialog.getByRole('button', { name: 'Rule', exact: true }).click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([...['Email Status', 'Email Domain', 'Import Source', 'Date Added', 'Last Activity', 'Tags']]);
    await page.keyboard.press('Escape');
    await dialog.getByRole('combobox', { name: 'Operator' }).click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([
        ...['is', 'is not', 'contains', 'does not contain'],
        ...['starts with', 'ends with', 'is empty', 'is not empty'],
      ]);
    await page.getByRole('option', { name: 'ends with' }).click();
    await dialog.getByLabel('Name').fill('British');
    await dialog.getByRole('button', { name: 'Create list' }).click();
    await dialog.getByText('This rule needs a value.').waitFor();
    await value(1).fill('.uk');
    await dialog.getByRole('button', { name: 'Create list' }).click();
    await toast('List Created').waitFor();
    await page.getByRole('link', { name: '60 contacts on British' }).waitFor();
    await page.getByText('Contacts whose domain ends with “.uk”').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toMatchObject([
      {
        isDynamic: true,
        segmentRules: { conditions: [{ field: 'domain', operator: 'ends_with', value: '.uk' }] },
      },
    ]);
    await page.getByRole('button', { name: 'Edit British' }).click();
    await value(1).fill('.de');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: '90 contacts on British' }).waitFor();
  });

  it('asks before it throws away rules that are not saved', async () => {
    await makeSegment('Gmail', domainIs('gmail.com'));
    await page.goto('/lists');
    const dialog = page.getByRole('dialog', { name: 'Edit Gmail' });
    const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
    const open = async () => {
      await page.getByRole('button', { name: 'Edit Gmail' }).click();
      await rule(1).getByText('gmail.com').waitFor();
    };
    await open();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await open();
    await dialog.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.keyboard.press('Escape');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => rule(1).count()).toBe(0);
    await page.keyboard.press('Escape');
    await asked.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await open();
  });

  it('goes on in the editor with what was entered', async () => {
    await page.goto('/lists?open=new-list');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Half done');
    await dialog.getByLabel('Dynamic Segment').check();
    await dialog.getByRole('button', { name: 'Rule', exact: true }).click();
    await value(1).fill('acme');
    await dialog.getByRole('button', { name: 'Groups, more fields and a live count' }).click();
    await page.getByRole('heading', { name: 'New segment' }).waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Half done');
    await rule(1).getByText('acme').waitFor();
    await expect.poll(kept).toHaveLength(1);
    // The history holds the same, and is read first.
    await page.reload();
    await rule(1).getByText('acme').waitFor();
    await holdsNone(page.getByRole('button', { name: 'Restore', exact: true }));
    await expect.poll(kept).toHaveLength(1);
    await page.getByRole('button', { name: 'Save segment' }).click();
    await toast('List Created').waitFor();
    await page.waitForURL(/\/lists$/);
    expect(await kept()).toEqual([]);
  });

  it('takes nothing more once somebody goes on in the editor, which may be slow to come', async () => {
    await makeSegment('Newsletter', domainIs('acme.co.uk'));
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Edit Newsletter' }).click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await rule(1).waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Groups, more fields and a live count' }).click();
    await expect.poll(() => name.isDisabled()).toBe(true);
    release();
    await page.getByRole('heading', { name: 'Newsletter', exact: true }).waitFor();
    await rule(1).getByText('acme.co.uk').waitFor();
  });

  it('keeps what somebody else has changed since it was opened, and so does the editor', async () => {
    const id = await makeSegment('Newsletter', domainIs('acme.co.uk'));
    const at = `/api/lists/${id}`;
    const overtaken = /Somebody has changed “Newsletter” since you opened it/;
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Edit Newsletter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Segment rules').waitFor();
    await call(page, 'PATCH', at, { segmentRules: domainIs('tight.co.uk') });
    await dialog.getByLabel('Description').fill('Twice a month');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(overtaken).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast('List Updated').waitFor();
    const theirs = { segmentRules: domainIs('tight.co.uk'), description: 'Twice a month' };
    expect(await call(page, 'GET', at)).toMatchObject(theirs);
    await page.goto(`/lists/${id}/rules`);
    await rule(1).getByText('tight').waitFor();
    await call(page, 'PATCH', at, { segmentRules: domainIs('tighter.co.uk') });
    await page.getByLabel('Name').fill('News');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText(overtaken).waitFor();
    await page.getByRole('button', { name: 'Save segment' }).click();
    await toast('List Updated').waitFor();
    expect(await call(page, 'GET', at)).toMatchObject({
      ...{ name: 'News', description: 'Twice a month', segmentRules: domainIs('tighter.co.uk') },
    });
  });

  it('shows the rules that were saved, and no older ones, when somebody goes back', async () => {
    const id = await makeSegment('Northern', domainIs('acme.co.uk'));
    await page.goto('/lists');
    const goOn = async () => {
      await page.getByRole('button', { name: 'Edit Northern' }).click();
      await page.getByRole('button', { name: 'Groups, more fields and a live count' }).click();
      await page.getByRole('heading', { name: 'Northern', exact: true }).waitFor();
    };
    await goOn();
    await value(1).fill('saved.co.uk');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByRole('heading', { name: 'Lists', exact: true }).waitFor();
    await page.goBack();
    await rule(1).getByText('saved.co.uk').waitFor();
    await page.goto('/lists');
    await goOn();
    // What the history holds is left out as soon as somebody else has changed the list.
    await call(page, 'PATCH', `/api/lists/${id}`, { segmentRules: domainIs('theirs.co.uk') });
    await page.reload();
    await rule(1).getByText('theirs.co.uk').waitFor();
    await page.getByText('This segment has been changed since you opened it.').waitFor();
  });

  it('makes a segment of the filters in the database, where rules mean the same', async () => {
    await fill();
    await page.goto('/email-database?uk=uk&from=2020-01-01');
    await page.getByText('1–20 of 60').waitFor();
    const item = page.getByRole('menuitem', { name: 'Save as a segment…' });
    await page.getByRole('button', { name: 'View: All contacts' }).click();
    await item.click();
    await page.getByRole('heading', { name: 'New segment' }).waitFor();
    await figures().getByText('60', { exact: true }).first().waitFor();
    await page.getByText('UK contacts who were added after 31 Dec 2019').waitFor();
    await page.getByLabel('Name').fill('British');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByRole('link', { name: '60 contacts on British' }).waitFor();
    await page.goto('/email-database?search=person1');
    await page.getByRole('button', { name: 'View: All contacts' }).click();
    await expect.poll(() => item.isDisabled()).toBe(true);
  });

  it('begins a campaign to whom the filters in the database mean', async () => {
    await fill();
    await page.goto('/email-database?uk=uk&search=person1');
    await page.getByRole('button', { name: 'View: All contacts' }).click();
    await page.getByRole('menuitem', { name: 'Send them a campaign…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Campaign' });
    await dialog.getByText('Filter: address contains person1, UK class UK').waitFor();
    await dialog.getByText(/^15 recipients/).waitFor();
    // An address that is damaged goes to nobody, and not to everybody.
    await page.goto('/campaigns?dialog=new&to=list%20none');
    await dialog.getByText('The audience has a filter that is not understood.').waitFor();
  });

  it('says which segments ask for a list that is deleted', async () => {
    const { id } = await call(page, 'POST', '/api/lists', { name: 'Members' });
    const onIt = { conditions: [{ field: 'list', operator: 'one_of', value: [String(id)] }] };
    await makeSegment('Quiet members', onIt);
    await page.goto(`/lists?list=${id}`);
    await page.getByRole('dialog').getByText('The segment “Quiet members”').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await toast('List Deleted')
      .getByText(/The segment “Quiet members” still asks for it and cannot be read any more\./)
      .waitFor();
  });
});
