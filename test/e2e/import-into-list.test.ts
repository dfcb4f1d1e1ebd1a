// Tests of: imports, lists, tags, memberships
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { settle } from '#test/support/settle.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

// Contacts reach a list straight from an import and by pasting, and leave it by the undo of one.

let page: Page;
openStageSignedIn(
  (stage) => {
    page = stage.page;
  },
  // From a list that was deleted, or another choice that was made, meanwhile.
  { mayComplain: /status of (400|404|409)/ },
);

const people = (many: number) =>
  `email\n${Array.from({ length: many }, (_, index) => `person${index}@shop${index % 2}.co.uk`).join('\n')}\n`;
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const card = (name: string) => page.getByRole('region', { name, exact: true });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const dialog = () => page.getByRole('dialog');
const combobox = (name: string) => card('Lists and tags').getByRole('combobox', { name });
const contactsOn = async (id: number) => (await call(page, 'GET', `/api/lists/${id}`)).contactCount;

/** Chooses a file and waits for its check page. */
async function checkFile(name: string, content: string): Promise<void> {
  await page.goto('/imports');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.waitForURL(/\/imports\/\d+$/);
  await card('Lists and tags').waitFor();
}
const options = async () => {
  const [, id] = /\/imports\/(\d+)/.exec(page.url()) ?? [];
  return (await call(page, 'GET', `/api/imports/${id}`)).options;
};

describe('an import into a list', () => {
  it('waits for the list that is being made when the import is pressed at once', async () => {
    await checkFile('fair.csv', people(6));
    await button('Import 6 contacts').waitFor();
    await page.route('**/api/lists', async (route) => {
      if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await combobox('List').fill('Fair 2026');
    await page.getByRole('option', { name: 'Make the list “Fair 2026”' }).click();
    await button('Import 6 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    const [list] = await call(page, 'GET', '/api/lists');
    expect(list).toMatchObject({ name: 'Fair 2026', contactCount: 6 });
  });

  it('takes the names that were written but not chosen when the import is pressed at once', async () => {
    const made = await call(page, 'POST', '/api/tags', { name: 'Trade' });
    await call(page, 'POST', '/api/lists', { name: 'Fair 2026 in Leeds' });
    await checkFile('fair.csv', people(6));
    await button('Import 6 contacts').waitFor();
    await combobox('Tags').fill('trade');
    await combobox('List').fill('Fair 2026');
    await page.getByRole('option', { name: 'Make the list “Fair 2026”' }).waitFor();
    await button('Import 6 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    const lists = await call(page, 'GET', '/api/lists');
    expect(lists.find(({ name }: { name: string }) => name === 'Fair 2026')).toMatchObject({
      contactCount: 6,
    });
    const tags = await call(page, 'GET', '/api/tags');
    expect(tags).toMatchObject([{ id: made.id, contactCount: 6 }]);
  });

  it.each([
    ['checked', 'as it was before the choices'],
    ['checking', 'as it was before its check was done'],
  ])('keeps what was chosen when the file comes late %s, %s', async (status) => {
    const shown = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    // The code of the page of an import is there, so that what it hears of is on the screen soon.
    await page.goto('/imports/999999999');
    await page.getByText('This import could not be shown').waitFor();
    await page.getByRole('link', { name: 'All imports' }).click();
    const input = page.locator('input[type=file]').first();
    await input.waitFor({ state: 'attached' });
    // The page asks before it hears of the check's end, else it would not ask at all.
    await page.route(
      /\/api\/imports\/\d+\/events$/,
      async (route) => {
        await asked.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await page.route(
      /\/api\/imports\/\d+$/,
      async (route) => {
        asked.resolve();
        await shown.promise;
        const response = await route.fetch();
        const record = await response.json();
        const json = status === 'checked' ? record : { ...record, status, check: null };
        read.resolve();
        await late.promise;
        // It may have been given up meanwhile.
        await route.fulfill({ response, json }).catch(() => {});
        came.resolve();
      },
      { times: 1 },
    );
    const file = Buffer.from(`${people(6)}jo@firma.de\n`);
    await input.setInputFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: file });
    await page.waitForURL(/\/imports\/\d+$/);
    await card('Lists and tags').waitFor();
    shown.resolve();
    await read.promise;
    const filter = page.getByLabel('Filter non-UK domains');
    const first = await filter.elementHandle();
    await filter.uncheck();
    await button('Import 7 contacts').waitFor();
    late.resolve();
    await came.promise;
    await settle(page);
    await button('Import 7 contacts').click({ trial: true });
    // Another screen in between would have lost a choice that waits for its turn.
    expect(await first?.evaluate((box) => box.isConnected)).toBe(true);
    expect(await options()).toMatchObject({ filterNonUk: false });
  });

  it('shows what a colleague has chosen meanwhile before it imports', async () => {
    const list = await call(page, 'POST', '/api/lists', { name: 'Trade fair' });
    await checkFile('fair.csv', `${people(6)}jo@firma.de\n`);
    await button('Import 6 contacts').waitFor();
    const [, id] = /\/imports\/(\d+)/.exec(page.url()) ?? [];
    await call(page, 'PATCH', `/api/imports/${id}`, { listId: list.id });
    // Another option takes no list away.
    await page.getByLabel('Filter non-UK domains').uncheck();
    await button('Import 7 contacts').click();
    await page.getByText('Somebody has changed this import meanwhile').waitFor();
    await card('What will happen').getByText('1 list').waitFor();
    await expect.poll(() => combobox('List').inputValue()).toBe('Trade fair');
    await call(page, 'POST', `/api/imports/${id}/check`, {
      options: { ...(await options()), filterNonUk: true },
    });
    await button('Import 7 contacts').click();
    await button('Import 6 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    expect(await contactsOn(list.id)).toBe(6);
  });

  it('keeps a name that is written while somebody looks at another window', async () => {
    await checkFile('fair.csv', people(6));
    await combobox('List').fill('Fair 2026');
    await page.getByRole('option', { name: 'Make the list “Fair 2026”' }).waitFor();
    await page.evaluate(`{
      document.hasFocus = () => false;
      document.activeElement.blur();
      delete document.hasFocus;
    }`);
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await expect.poll(() => combobox('List').inputValue()).toBe('Fair 2026');
    expect(await call(page, 'GET', '/api/lists')).toEqual([]);
    await combobox('List').focus();
    await button('Import 6 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toMatchObject([{ name: 'Fair 2026', contactCount: 6 }]);
  });

  it('makes no list whose name was written when the import is given up', async () => {
    await checkFile('fair.csv', people(6));
    await combobox('List').fill('Fair 2026');
    await page.getByRole('option', { name: 'Make the list “Fair 2026”' }).waitFor();
    await button('Cancel').click();
    await page.getByText('No imports yet').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toEqual([]);
  });

  it('makes a list and a tag on the check page, and names them on the result page', async () => {
    await bring(page, people(2), { name: 'before.csv' });
    await checkFile('fair.csv', people(6));
    await combobox('List').fill('Fair 2026');
    await page.getByRole('option', { name: 'Make the list “Fair 2026”' }).click();
    await combobox('Tags').fill('New');
    await page.keyboard.press('Enter');
    await button('Choose a marketing basis').click();
    await dialog().getByLabel('Where it comes from').fill('Spring fair sign-up sheet');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Choose marketing basis' }).click();
    await card('What lets you mail these people?').getByText('Consent: Spring fair sign-up sheet').waitFor();
    await expect.poll(options).toMatchObject({
      ...{ listId: expect.any(Number), tagIds: [expect.any(Number)] },
      basis: { basis: 'consent', source: 'Spring fair sign-up sheet' },
    });
    expect(await seriousFindingsInBoth(page)).toEqual([]);

    await page.reload();
    await expect.poll(() => combobox('List').inputValue()).toBe('Fair 2026');
    await card('Lists and tags').getByText('New').waitFor();
    await page.getByLabel('Filter non-UK domains').uncheck();
    await card('What will happen').getByText('Dry run').waitFor();
    expect(await options()).toMatchObject({ filterNonUk: false, listId: expect.any(Number) });
    await button('Import 4 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    await page.getByText('also those who were contacts before').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    expect((await call(page, 'GET', '/api/basis')).contacts).toMatchObject({ consent: 6, unknown: 0 });
    const [list] = await call(page, 'GET', '/api/lists');
    expect(list).toMatchObject({ name: 'Fair 2026', contactCount: 6 });
    await page.getByRole('link', { name: 'Fair 2026', exact: true }).click();
    await page.getByText('1–6 of 6').waitFor();

    // Half of it is tagged by a filter.
    await page.goto(`/lists/${list.id}`);
    await page.getByText('1–6 of 6').waitFor();
    await page.getByPlaceholder(/^Search/).fill('shop1');
    await page.getByText('1–3 of 3').waitFor();
    await page.getByRole('checkbox').first().check();
    await button('Tag').click();
    await dialog().getByRole('combobox', { name: 'Tag' }).fill('Agency');
    await dialog().getByRole('button', { name: 'Tag 3 contacts' }).click();
    await toast('Bulk Action Complete').getByText('3 contacts are now tagged Agency.').waitFor();
  });

  it('is undone: what it brought goes to the bin, and who stays is off its list', async () => {
    await bring(page, people(2), { name: 'before.csv' });
    const list = await call(page, 'POST', '/api/lists', { name: 'Fair' });
    const { id } = await bring(page, people(5), { name: 'fair.csv', options: { listId: list.id } });
    expect(await contactsOn(list.id)).toBe(5);
    await page.goto(`/imports/${id}`);
    await button('Undo import').click();
    await dialog().getByText('are taken off the list “Fair”').waitFor();
    await dialog().getByRole('button', { name: 'Remove 3 contacts' }).click();
    await toast('Import undone')
      .getByText('3 contacts moved to the bin')
      .getByText('2 contacts that stay are off the list “Fair”.')
      .waitFor();
    expect(await contactsOn(list.id)).toBe(0);
    await page.getByText('Whoever stayed was taken off its list and its tags.').waitFor();
    await call(page, 'DELETE', `/api/lists/${list.id}`);
    await page.reload();
    await page.getByText('“Fair” (deleted)').waitFor();
  });

  it('offers no list that fills itself, and says so when the chosen one is gone', async () => {
    const rules = { isDynamic: true, segmentRules: { conditions: [] } };
    await call(page, 'POST', '/api/lists', { name: 'By rules', ...rules });
    const list = await call(page, 'POST', '/api/lists', { name: 'Fair' });
    await checkFile('fair.csv', people(2));
    await combobox('List').click();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Fair']);
    await call(page, 'DELETE', `/api/lists/${list.id}`);
    await page.getByRole('option', { name: 'Fair' }).click();
    await card('Lists and tags').getByText('The list “Fair” is not there any more.').waitFor();
    expect(await options()).not.toHaveProperty('listId');
    await button('Import 2 contacts').click();
    await page.getByText('Contacts imported').waitFor();
  });

  it('takes pasted addresses as well', async () => {
    await call(page, 'POST', '/api/lists', { name: 'Rang us' });
    await page.goto('/imports');
    await button('Paste addresses').click();
    await dialog().getByLabel('Addresses').fill('jane@acme.co.uk, Tom <tom@acme.co.uk>');
    await dialog().getByRole('button', { name: 'Check 2 addresses' }).click();
    await combobox('List').click();
    await page.getByRole('option', { name: 'Rang us' }).click();
    await button('Import 2 contacts').click();
    await page.getByText('Contacts imported').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toMatchObject([{ name: 'Rang us', contactCount: 2 }]);
  });
});

describe('pasting on the screen of lists', () => {
  it('puts pasted addresses on a list, shows those that are no contacts, and takes them off', async () => {
    await bring(page, people(3));
    const list = await call(page, 'POST', '/api/lists', { name: 'Members' });
    await page.goto('/lists');
    await button('View Members').click();
    await dialog().getByRole('button', { name: 'Paste addresses' }).click();
    await dialog()
      .getByLabel('Addresses of contacts')
      .fill('person0@shop0.co.uk; P <person1@shop1.co.uk>\nnobody@acme.co.uk, nonsense');
    await dialog().getByRole('button', { name: 'Put 4 addresses on it' }).click();
    await toast('Bulk Action Complete').getByText('2 contacts are now on Members.').waitFor();
    await dialog().getByText('2 addresses are no contacts').waitFor();
    await expect
      .poll(() => dialog().getByLabel('No contacts').inputValue())
      .toBe('nobody@acme.co.uk\nnonsense');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    expect(await contactsOn(list.id)).toBe(2);

    await page.goto(`/lists?paste=${list.id}`);
    await dialog().getByText('Take off the list').click();
    await dialog().getByLabel('Addresses of contacts').fill('person1@shop1.co.uk');
    await dialog().getByRole('button', { name: 'Take 1 address off it' }).click();
    await toast('Bulk Action Complete').getByText('1 contact is no longer on Members.').waitFor();
    await expect.poll(() => contactsOn(list.id)).toBe(1);
    await toast('1 contact is no longer on Members').getByRole('button', { name: 'Undo' }).click();
    await toast('Change Undone').waitFor();
    expect(await contactsOn(list.id)).toBe(2);

    const { emails } = await call(page, 'GET', '/api/emails?search=person0@');
    await page.goto(`/email-database?open=${emails[0].id}`);
    await page.getByText('Put on the list Members').waitFor();
    await page.getByText('Among pasted addresses').waitFor();
  });

  it('asks before it throws away what was pasted, and so does the dialog that adds one address', async () => {
    const { id } = await call(page, 'POST', '/api/lists', { name: 'Members' });
    const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
    const filled = async (at: string, label: string, text: string) => {
      await page.goto(at);
      await page.getByLabel(label).fill(text);
      await page.keyboard.press('Escape');
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => page.getByLabel(label).inputValue()).toBe(text);
      await page.keyboard.press('Escape');
      await asked.getByRole('button', { name: 'Discard' }).click();
      await dialog().waitFor({ state: 'hidden' });
    };
    await filled(`/lists?paste=${id}`, 'Addresses of contacts', 'person0@shop0.co.uk');
    await filled('/email-database?dialog=add', 'Notes (optional)', 'Met at the fair');
  });
});
