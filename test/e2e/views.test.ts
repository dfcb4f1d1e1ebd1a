// Tests of: views, email-database
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { bring, call, inDatabaseOf, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let stage: SignedInStage;
let page: Page;

const people = Array.from(
  { length: 60 },
  (_, n) =>
    `pupil${n}@${n % 2 ? 'hadlow.kent.sch.uk' : 'millbank-tools.co.uk'},Pupil ${n},${n % 2 ? 'Kent' : 'York'}`,
);

openStageSignedIn(
  async (opened) => {
    stage = opened;
    ({ page } = stage);
    await bring(page, `email,name,county\n${people.join('\n')}\n`, {
      name: 'schools.csv',
      reading: { columns: ['email', 'name', 'extra:county'] },
    });
  },
  // From a view that was changed elsewhere and is not overwritten.
  { mayComplain: /status of 409/ },
);

/** Saves a view by a direct call. Its name says what it holds. */
const keepView = (name: string, state: object, more: object = {}) =>
  call(page, 'POST', '/api/views', { name, state, ...more });
/** Opens the view from the menu, as people do. */
const openView = async (name: string) => {
  await page.goto('/email-database');
  await button('View: All contacts').click();
  await item(name).click();
  await page.waitForURL(/view=\d/);
  await button(`View: ${name}`).waitFor();
};

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
const dialog = () => page.getByRole('dialog');
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const query = () => Object.fromEntries(new URL(page.url()).searchParams);
const heads = async () => (await page.locator('thead th').allTextContents()).filter((text) => text !== '');
const search = async (text: string) => {
  await page.getByRole('searchbox', { name: 'Search addresses' }).fill(text);
  await page.waitForURL((url) => (url.searchParams.get('search') ?? '') === text);
};

it('keeps what the screen shows under a name, opens it again, and finds it from anywhere', async () => {
  await page.goto('/email-database');
  await shown('1–20 of 60');
  await expect.poll(() => button('Save view').count()).toBe(0);
  await search('kent.sch');
  await shown('1–20 of 30');
  await button('Save view').click();
  await dialog().getByRole('button', { name: 'Save view' }).click();
  await dialog().getByText('Please give the view a name.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Kent schools');
  await page.keyboard.press('Enter');
  await toast('View Saved').getByText('“Kent schools” is there for you.').waitFor();
  await button('View: Kent schools').waitFor();
  expect(query()).toMatchObject({ search: 'kent.sch', view: expect.stringMatching(/^\d+$/) });
  await expect.poll(() => button(/^Save/).count()).toBe(0);

  await button('View: Kent schools').click();
  await expect.poll(() => item('Kent schools').getAttribute('aria-current')).toBe('true');
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await item('All contacts').click();
  await shown('1–20 of 60');
  expect(query()).toEqual({});
  await page.goBack();
  await shown('1–20 of 30');
  await button('View: Kent schools').waitFor();

  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search or go to' }).fill('kent sch');
  await page.getByRole('button', { name: /View: Kent schools/ }).click();
  await shown('1–20 of 30');
  await button('View: Kent schools').waitFor();
});

it('tells of changes, saves them, and takes them back', async () => {
  await keepView('Kent schools', { search: 'kent.sch' });
  await openView('Kent schools');
  await search('hadlow');
  await button('View: Kent schools, changed').waitFor();
  await button('View: Kent schools, changed').click();
  await item('Show it as it was saved').click();
  await page.waitForURL(/search=kent\.sch/);

  await search('pupil1');
  await button('Save changes').click();
  await toast('View Saved').waitFor();
  await button('View: Kent schools').waitFor();
  await page.goto('/email-database');
  await shown('1–20 of 60');
  await button('View: All contacts').click();
  await item('Kent schools').click();
  await page.waitForURL(/search=pupil1/);
  await shown('1–11 of 11');

  await search('pupil2');
  await button('Save changes').click();
  await toast('View Saved').getByRole('button', { name: 'Undo' }).click();
  await toast('Changes Undone').waitFor();
  await page.waitForURL(/search=pupil1/);
});

it('renames one, refuses a name that is taken, and opens one first', async () => {
  await keepView('Kent schools', { search: 'pupil1' });
  await openView('Kent schools');
  await button('View: Kent schools').click();
  await item('Save as a new view…').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('KENT SCHOOLS');
  await page.keyboard.press('Enter');
  await dialog().getByText('is already called “KENT SCHOOLS”').waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });

  await button('View: Kent schools').click();
  await item('Rename or share…').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Pupils');
  await dialog().getByRole('checkbox', { name: 'Share it with the workspace' }).check();
  await dialog().getByRole('checkbox', { name: 'Open it first' }).check();
  await page.keyboard.press('Enter');
  await toast('View Saved').getByText('“Pupils” is there for everybody in the workspace.').waitFor();
  await page.goto('/activities');
  await page.getByRole('row', { name: /View Shared/ }).click();
  await page.waitForURL(/\/email-database\?search=pupil1.*view=\d/);
  await button('View: Pupils').waitFor();
  await shown('1–11 of 11');

  await page.goto('/settings');
  await page.getByRole('link', { name: /^Email Database/ }).click();
  await page.waitForURL(/search=pupil1.*view=\d/);
  await button('View: Pupils').click();
  await item('All contacts').click();
  await shown('1–20 of 60');
  expect(query()).toEqual({ view: 'all' });
  await search('york');
  await search('');
  await shown('1–20 of 60');
  expect(query()).toEqual({ view: 'all' });
  // The step that led here opened the view in place, so back leads to where the person came from.
  await page.goto('/settings');
  await page.goto('/email-database');
  await page.waitForURL(/view=\d/);
  await page.goBack();
  await page.waitForURL('**/settings');
  await page.goto('/email-database');
  await button('View: Pupils').click();
  await item('Do not open it first').click();
  await expect.poll(async () => (await call(page, 'GET', '/api/views')).defaultId).toBeNull();
});

it('is renamed with changes that are not saved, which are then saved without a question', async () => {
  await keepView('Kent schools', { search: 'kent.sch' });
  await openView('Kent schools');
  await search('hadlow');
  await button('View: Kent schools, changed').click();
  await item('Rename or share…').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Pupils');
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await button('View: Pupils, changed').waitFor();
  await button('Save changes').click();
  await toast('View Saved').getByText('“Pupils” shows this.').waitFor();
  await button('View: Pupils').waitFor();
});

it('chooses columns by keyboard, and has them again after a reload', async () => {
  await page.goto('/email-database');
  await shown('1–20 of 60');
  expect(await heads()).toEqual([
    ...['Address', 'Status', 'Verdict', 'UK class', 'Name', 'Source', 'Added', 'Actions'],
  ]);
  const row = (name: string) => dialog().getByRole('checkbox', { name, exact: true });
  // Nothing is answered until all is chosen.
  const answers = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/api/view-choices', async (route) => {
    sent += 1;
    await answers.promise;
    await route.continue();
  });
  await button('Columns').focus();
  await page.keyboard.press('Enter');
  // The menu takes the focus a moment after it is there.
  await dialog().locator(':focus').waitFor();
  await row('County').focus();
  await page.keyboard.press('Space');
  await expect.poll(heads).toContain('County');
  await expect.poll(() => row('County').isChecked()).toBe(true);
  // The box keeps the focus although its row has moved. So does the arrow.
  await expect.poll(() => row('County').and(page.locator(':focus')).count()).toBe(1);
  await dialog().getByRole('button', { name: 'Move County to the left' }).focus();
  for (const _ of [1, 2, 3, 4, 5, 6]) await page.keyboard.press('Enter');
  await expect
    .poll(heads)
    .toEqual(['Address', 'County', 'Status', 'Verdict', 'UK class', 'Name', 'Source', 'Added', 'Actions']);
  await row('Verdict').press('Space');
  await row('Source').press('Space');
  await row('Import').press('Space');
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  const chosen = ['Address', 'County', 'Status', 'UK class', 'Name', 'Added', 'Import', 'Actions'];
  await expect.poll(heads).toEqual(chosen);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => button('Columns').and(page.locator(':focus')).count()).toBe(1);

  // What was chosen after the first goes together.
  answers.resolve();
  const kept = async () => (await call(page, 'GET', '/api/views?screen=contacts')).columns;
  await expect.poll(kept).toContain('import');
  expect(sent).toBe(2);
  await page.reload();
  await shown('1–20 of 60');
  await expect.poll(heads).toEqual(chosen);
  expect(query()).toEqual({});
  const first = page.locator('tbody tr').first();
  await first.getByText('schools.csv').waitFor();
  await first.getByText('York').or(first.getByText('Kent')).first().waitFor();
});

it('keeps columns in a view beside one’s own', async () => {
  const columns = ['field:county', 'status', 'ukClass', 'name', 'createdAt', 'import'];
  await call(page, 'PATCH', '/api/view-choices', { screen: 'contacts', columns });
  await keepView('Pupils', { search: 'pupil1' });
  await openView('Pupils');
  await button('Columns').click();
  await dialog().getByText('Save the view to keep them').waitFor();
  await dialog().getByRole('checkbox', { name: 'Risk', exact: true }).check();
  await expect.poll(heads).toContain('Risk');
  await page.keyboard.press('Escape');
  await button('Save changes').click();
  await toast('View Saved').waitFor();
  await button('View: Pupils').click();
  await item('All contacts').click();
  await shown('1–20 of 60');
  expect(await heads()).not.toContain('Risk');
  await button('View: All contacts').click();
  await item('Pupils').click();
  await expect.poll(heads).toContain('Risk');

  await button('View: Pupils').click();
  await item('All contacts').click();
  await button('Columns').click();
  await dialog().getByRole('button', { name: 'Usual columns' }).click();
  await expect.poll(heads).toContain('Verdict');
  await page.keyboard.press('Escape');
});

it('asks before it overwrites what was saved in another window, and keeps both if told to', async () => {
  const saveElsewhere = (state: object) => call(page, 'PATCH', `/api/views/${query().view}`, { state });
  await keepView('Pupils', { search: 'pupil1' });
  await openView('Pupils');
  await saveElsewhere({ search: 'york' });
  await search('pupil3');
  await button('Save changes').click();
  await dialog().getByText('You have changed “Pupils” in another window since you opened it here.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await dialog().getByRole('button', { name: 'Save as a new view' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Third');
  await page.keyboard.press('Enter');
  await toast('View Saved').waitFor();
  await button('View: Third').waitFor();

  await openView('Pupils');
  await page.waitForURL(/search=york/);
  await saveElsewhere({ search: 'kent' });
  await search('pupil1');
  await button('Save changes').click();
  await dialog().getByRole('button', { name: 'Overwrite' }).click();
  await toast('View Saved').getByRole('button', { name: 'Undo' }).click();
  await toast('Changes Undone').waitFor();
  // The address changes before the field does.
  const typed = page.getByRole('searchbox', { name: 'Search addresses' });
  await expect.poll(() => typed.inputValue()).toBe('kent');
  await search('pupil1');
  await button('Save changes').click();
  await toast('View Saved').waitFor();

  await button('View: Pupils').click();
  await item('Rename or share…').click();
  await saveElsewhere({ search: 'pupil1', columns: ['risk'] });
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Some pupils');
  await page.keyboard.press('Enter');
  await dialog().getByText('Save again to have it your way.').waitFor();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Pupils');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

it('scrolls sideways with more columns than there is room for, and the page does not', async () => {
  await page.goto(
    `/email-database?${['status', 'verdict', 'name', 'domain', 'kind', 'source', 'date', 'notes', 'import']
      .map((key) => `columns=${key}`)
      .join('&')}`,
  );
  await shown('1–20 of 60');
  await expect.poll(heads).toContain('Date in the file');
  await page.locator('[data-scrolls]').waitFor();
  const address = page.locator('tbody tr').first().locator('td').nth(1);
  const status = page.locator('tbody tr').first().locator('td').nth(2);
  const leftOf = async (cell: typeof address) => (await cell.boundingBox())?.x ?? Number.NaN;
  const before = { address: await leftOf(address), status: await leftOf(status) };
  await page.evaluate("document.querySelector('[data-scrolls]').scrollTo(600, 0)");
  await expect.poll(() => leftOf(status)).toBeLessThan(before.status - 50);
  expect(await leftOf(address)).toBe(before.address);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(1440);
  expect(await seriousFindings(page)).toEqual([]);
});

it('deletes one, and brings it back', async () => {
  await keepView('Pupils', { search: 'pupil1' });
  await openView('Pupils');
  await button('View: Pupils').click();
  await item('Delete view').click();
  await button('View: All contacts').waitFor();
  await shown('1–20 of 60');
  await toast('View Deleted').getByRole('button', { name: 'Undo' }).click();
  await toast('View Restored').waitFor();
  await button('View: Pupils').waitFor();
});

it('of a newer version cannot be opened, and can be deleted', async () => {
  await keepView('Strange', { search: 'pupil1' });
  const { workspaceId } = stage.somebody;
  const newer = `update saved_views set state = '{"segment": 7}' where workspace_id = $1`;
  await inDatabaseOf(stage.product, newer, [workspaceId]);
  await page.goto('/email-database');
  await button('View: All contacts').click();
  const view = page.getByRole('menuitem', { name: 'Strange made by a newer version' });
  await expect.poll(() => view.isDisabled()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Delete “Strange”' }).click();
  await toast('View Deleted').waitFor();
});

it('opens a link with what another release wrote into it', async () => {
  await page.goto('/email-database?view=99999&columns=segment&columns=name');
  await shown('1–20 of 60');
  expect(await heads()).toEqual(['Address', 'Name', 'Actions']);
  await button('View: All contacts').waitFor();
});

it('shows nobody by a link with a filter of another release, and leads on', async () => {
  await page.goto('/email-database?colour=blue&status=lovely&uk=uk');
  await page.getByText('This link has a filter that is not known here').waitFor();
  await page.getByText('colour, status').waitFor();
  await expect.poll(() => page.getByRole('table').count()).toBe(0);
  expect(await seriousFindingsInBoth(page)).toEqual([]);
  await button('Show all contacts').click();
  await shown('1–20 of 60');
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

it('says that a total is still being counted, and then gives it without a jump', async () => {
  let count: () => void = () => {};
  const counted = new Promise<void>((resolve) => {
    count = resolve;
  });
  await page.route('**/api/emails?*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), totalCount: 1_204_331, totalIsEstimate: true },
    });
  });
  await page.route('**/api/emails/count', async (route) => {
    await counted;
    await route.fulfill({ json: { count: 1_198_204 } });
  });
  await page.goto('/email-database?status=active');
  await shown('1–20 of about 1,204,000, counting…');
  const sizes = page.getByRole('combobox', { name: 'Rows per page' });
  const before = await sizes.boundingBox();
  count();
  await page.getByText('1–20 of 1,198,204', { exact: true }).waitFor();
  expect(await sizes.boundingBox()).toEqual(before);
  await page.unrouteAll({ behavior: 'wait' });
});

it('has views on a phone, and cards whatever the columns', async () => {
  await keepView('Pupils', { search: 'pupil1' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/email-database?columns=risk');
  await page.getByRole('list', { name: 'Contacts' }).getByRole('listitem').nth(19).waitFor();
  await expect.poll(() => button('Columns').count()).toBe(0);
  await button('View: All contacts').click();
  await item('Pupils').click();
  await button('View: Pupils').waitFor();
  // Until they are there, the rows before stand dimmed.
  await shown('1–11 of 11');
  expect(await seriousFindings(page)).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
