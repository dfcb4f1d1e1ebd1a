// Tests of: lists, tags, memberships, email-database
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { bring, call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;
openStageSignedIn(
  (stage) => {
    page = stage.page;
  },
  { mayComplain: /status of (400|409|500)/ },
);

const people = (many: number) =>
  `email,name\n${Array.from({ length: many }, (_, index) => `person${index}@shop${index % 2}.co.uk,P`).join('\n')}\n`;
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const dialog = () => page.getByRole('dialog');
const card = (name: string) => page.getByRole('region', { name, exact: true });

describe('the screen of lists', () => {
  it('makes, changes and deletes a list, and brings it back', async () => {
    await page.goto('/lists');
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: 'Create your first list' }).click();
    await dialog().getByRole('button', { name: 'Create list' }).click();
    await dialog().getByText('List name is required').waitFor();
    await dialog().getByLabel('Name').fill('Trade customers');
    await page.keyboard.press('Enter');
    await toast('List Created').waitFor();
    await page.getByRole('button', { name: 'Edit Trade customers' }).click();
    await dialog().getByLabel('Description').fill('Shops');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('List Updated').waitFor();
    await page.getByRole('button', { name: 'View Trade customers' }).click();
    for (const words of ['Total contacts', 'Manual', 'Shops']) await dialog().getByText(words).waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await toast('List Deleted').getByRole('button', { name: 'Undo' }).click();
    await toast('List Restored').waitFor();
    await page.getByRole('button', { name: 'View Trade customers' }).waitFor();
  });

  it('deletes one by a double press, and takes back two deletions at once', async () => {
    for (const name of ['Autumn', 'Spring', 'Winter']) await call(page, 'POST', '/api/lists', { name });
    await page.goto('/lists');
    const bin = (name: string) => page.getByRole('button', { name: `Delete ${name}` });
    await bin('Autumn').dblclick();
    await bin('Autumn').waitFor({ state: 'detached' });
    await bin('Spring').click();
    // Its Undo would go by itself while the page is read again.
    await toast('Spring is deleted.').hover();
    await bin('Spring').waitFor({ state: 'detached' });
    expect(await call(page, 'GET', '/api/lists')).toMatchObject([{ name: 'Winter' }]);
    await toast('Spring is deleted.').getByRole('button', { name: 'Undo all 2' }).click();
    await bin('Autumn').waitFor();
    await bin('Spring').waitFor();
  });

  it('makes a tag, refuses a second of its name, and brings a deleted one back', async () => {
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Create your first tag' }).click();
    await dialog().getByRole('button', { name: 'Create tag' }).click();
    await dialog().getByText('Tag name is required').waitFor();
    await expect
      .poll(() => dialog().getByRole('group', { name: 'Colour' }).getByRole('button').count())
      .toBe(8);
    await dialog().getByLabel('Name').fill('Wholesale');
    await dialog().getByRole('button', { name: 'Amber' }).click();
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Create tag' }).click();
    await toast('Tag Created').waitFor();
    expect(await call(page, 'GET', '/api/tags')).toMatchObject([{ name: 'Wholesale', color: '#F59E0B' }]);
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create tag' }).click();
    await dialog().getByLabel('Name').fill('wholesale');
    await dialog().getByRole('button', { name: 'Create tag' }).click();
    await dialog().getByText('There is a tag “Wholesale” already.').waitFor();
    await page.keyboard.press('Escape');
    await card('Tags').getByRole('button', { name: 'Delete Wholesale' }).click();
    await toast('Tag Deleted').getByRole('button', { name: 'Undo' }).click();
    await toast('Tag Restored').waitFor();
  });

  it('says what could not be done', async () => {
    await page.goto('/lists');
    await page.getByText('No lists yet').waitFor();
    for (const [noun, path] of [
      ['list', '**/api/lists'],
      ['tag', '**/api/tags'],
    ] as const) {
      await page.route(path, (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
      );
      await page
        .getByRole('button', { name: `Create ${noun}` })
        .first()
        .click();
      await dialog().getByLabel('Name').fill('Any');
      await dialog()
        .getByRole('button', { name: `Create ${noun}` })
        .click();
      await toast('Error').getByText(`Failed to create ${noun}`, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      if (noun === 'list') await page.getByRole('button', { name: 'Discard', exact: true }).click();
    }
  });

  it('has nothing serious for axe, with lists and tags and with dialogs open', async () => {
    await call(page, 'POST', '/api/lists', { name: 'Members' });
    await call(page, 'POST', '/api/tags', { name: 'Donor', color: '#84CC16' });
    await page.goto('/lists');
    await page.getByText('Donor').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.goto('/lists?open=new-tag');
    await dialog().getByLabel('Name').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });
});

describe('contacts on lists and with tags', () => {
  it('tags what is selected, shows it, filters by it, and takes it back', async () => {
    await bring(page, people(6));
    await page.goto('/email-database?search=shop1&columns=tags&columns=lists');
    await page.getByRole('row').nth(3).waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await dialog().getByRole('combobox', { name: 'Tag' }).fill('Wholesale');
    await dialog().getByText('A new tag is made.').waitFor();
    await dialog().getByRole('button', { name: 'Tag 3 contacts' }).click();
    await toast('Bulk Action Complete').getByText('3 contacts are now tagged Wholesale.').waitFor();
    await page
      .getByRole('row', { name: /person1@shop1/ })
      .getByText('Wholesale')
      .waitFor();
    const [tag] = await call(page, 'GET', '/api/tags');
    expect(tag).toMatchObject({ name: 'Wholesale', contactCount: 3 });
    await page.goto('/lists');
    await page.getByRole('link', { name: '3 contacts tagged Wholesale' }).click();
    await page.getByText('1–3 of 3').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Tag Wholesale' }).click();
    await page.getByText('1–6 of 6').waitFor();
  });

  it('puts all that match on a new list, and undoes it', async () => {
    await bring(page, people(25));
    await page.goto('/email-database');
    await page.getByText('1–20 of 25').waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Select all 25' }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await dialog().getByRole('combobox', { name: 'List' }).fill('Everyone');
    await dialog().getByRole('button', { name: 'Put 25 contacts on it' }).click();
    await toast('Bulk Action Complete').getByText('25 contacts are now on Everyone.').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toMatchObject([{ name: 'Everyone', contactCount: 25 }]);
    await toast('Bulk Action Complete').getByRole('button', { name: 'Undo' }).click();
    await toast('Change Undone').getByText('25 contacts are as before.').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toMatchObject([{ name: 'Everyone', contactCount: 0 }]);
  });

  it('makes no second list of a name, asks which of two is meant, and offers none that fills itself', async () => {
    await bring(page, people(2));
    for (const name of ['Once', 'Twice', 'Twice']) await call(page, 'POST', '/api/lists', { name });
    const rules = { isDynamic: true, segmentRules: { conditions: [] } };
    await call(page, 'POST', '/api/lists', { name: 'By rules', ...rules });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/lists', async (route) => {
      await held;
      await route.fallback();
    });
    await page.goto('/email-database');
    await page.getByText('1–2 of 2').waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const field = dialog().getByRole('combobox', { name: 'List' });
    const submit = dialog().getByRole('button', { name: /^Put .* on it$/ });
    await field.fill('Once');
    await expect.poll(() => submit.isDisabled()).toBe(true);
    answer();
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await field.fill('');
    await page.getByRole('option', { name: 'Once' }).waitFor();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Once', 'Twice']);
    await field.fill('twice');
    await submit.click();
    await dialog().getByText('Several lists are called “twice”. Rename one of them first.').waitFor();
    await field.fill('once');
    await submit.click();
    await toast('Bulk Action Complete').getByText('2 contacts are now on Once.').waitFor();
    expect(await call(page, 'GET', '/api/lists')).toHaveLength(4);
  });
});
