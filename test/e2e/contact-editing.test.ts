// Tests of: email-database, contacts

import type { Page, Route } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindings } from '#test/support/browser.ts';
import { pointAt } from '#test/support/hover.ts';
import { holdsNone } from '#test/support/settle.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { call as callFrom, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let page: Page;
let stage: SignedInStage;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  // From the refusals that these tests are about.
  { mayComplain: /status of (409|400|401|404)/ },
);

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, data?: object) =>
  callFrom(page, method, url, data);
const address = 'jo@stravaigcraft.scot';
const add = async (more: object = {}): Promise<number> =>
  (await call('POST', '/api/emails', { email: address, ...more })).id;
const open = (id: number) => page.goto(`/email-database?open=${id}`);
const panel = () => page.getByRole('region', { name: address });
const shown = (label: string) => panel().getByRole('button', { name: `Edit ${label}` });
const field = (label: string) => panel().getByRole('textbox', { name: label, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const refuseChanges = (id: number) =>
  page.route(`**/api/emails/${id}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 400, json: { message: 'Not now.' } })
      : route.continue(),
  );
const focused = () => page.evaluate('document.activeElement?.getAttribute("aria-label")');

it('changes names and notes where they stand, by keyboard alone, and takes a change back', async () => {
  const id = await add({ name: 'Jane Smith' });
  await open(id);
  await shown('last name: Smith').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Jones');
  await page.keyboard.press('Enter');
  await toast('Email Changed').getByText(`${address}: last name.`).waitFor();
  await shown('name: Jane Jones').waitFor();
  await expect.poll(focused).toBe('Edit last name: Jones');

  // Escape takes back what was typed, and leaves the panel open.
  await page.keyboard.press('Enter');
  await page.keyboard.type('Nobody');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Edit last name: Jones');

  // Notes have lines, so Enter does not save them.
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Edit notes: empty');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Met in York');
  await page.keyboard.press('Enter');
  await page.keyboard.type('wants the catalogue');
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await toast('Email Changed').getByText(`${address}: notes.`).waitFor();
  // Its Undo would go by itself while the page is read again.
  await toast('Email Changed').hover();
  const stored = call('GET', `/api/emails/${id}`);
  await panel().getByRole('listitem').filter({ hasText: 'Changed' }).getByText('Last name, notes').waitFor();

  expect(await stored).toMatchObject({
    name: 'Jane Jones',
    firstName: 'Jane',
    lastName: 'Jones',
    notes: 'Met in York\nwants the catalogue',
  });
  await toast('Email Changed').getByRole('button', { name: 'Undo' }).click();
  await toast('Change Undone').waitFor();
  await shown('notes: empty').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

it('takes only its own change back, where a colleague has changed something else', async () => {
  const id = await add({ name: 'Jane Smith', notes: 'first' });
  await open(id);
  await shown('first name: Jane').click();
  await call('PATCH', `/api/emails/${id}`, { lastName: 'Jones', notes: 'theirs' });
  await field('First name').fill('Ann');
  await page.keyboard.press('Enter');
  await toast('Email Changed').getByText(`${address}: first name.`).waitFor();
  await shown('notes: theirs').waitFor();
  await toast('Email Changed').getByRole('button', { name: 'Undo' }).click();
  await toast('Change Undone').waitFor();
  const left = { name: 'Jane Jones', firstName: 'Jane', lastName: 'Jones', notes: 'theirs' };
  expect(await call('GET', `/api/emails/${id}`)).toMatchObject(left);
});

it('saves when the field is left, and nothing when nothing was typed', async () => {
  const id = await add();
  await open(id);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
  });
  await shown('first name: empty').click();
  await field('First name').blur();
  await shown('first name: empty').click();
  await field('First name').fill('Jo');
  await panel().getByRole('heading', { name: 'Timeline' }).click();
  await shown('first name: Jo').waitFor();
  await shown('name: Jo').waitFor();
  expect(sent).toHaveLength(1);
});

it('adds, changes and removes extra fields, and offers the names that others have', async () => {
  const id = await add();
  const other = (await call('POST', '/api/emails', { email: 'ann@stravaigcraft.scot' })).id;
  await call('PATCH', `/api/emails/${other}`, { attributes: { town: 'York' } });
  await open(id);
  await panel().getByText('None yet.').waitFor();
  await panel().getByRole('button', { name: 'Add a field' }).click();
  const name = panel().getByRole('combobox', { name: 'Name of the field' });
  await page.getByRole('option', { name: 'town' }).waitFor();
  await panel().getByRole('button', { name: 'Save the field' }).click();
  await panel().getByText('Give the field a name.').waitFor();
  await name.fill('Email');
  await page.keyboard.press('Enter');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await panel().getByText('cannot be an extra field').waitFor();
  await name.fill('Phone');
  await page.keyboard.press('Enter');
  await expect.poll(() => field('Value').inputValue()).toBe('x');
  await field('Value').fill('0113 496 0000');
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await shown('phone: 0113 496 0000').click();
  await field('phone').fill('0113 496 0001');
  await page.keyboard.press('Enter');
  await shown('phone: 0113 496 0001').waitFor();
  await expect
    .poll(async () => (await call('GET', `/api/emails/${id}`)).attributes)
    .toEqual({ phone: '0113 496 0001' });
  await panel().getByRole('button', { name: 'Remove phone' }).click();
  await panel().getByText('None yet.').waitFor();
  await toast('Email Changed').getByRole('button', { name: 'Undo' }).click();
  await shown('phone: 0113 496 0001').waitFor();
});

it('says that somebody else was faster, shows theirs, and keeps what was typed', async () => {
  const id = await add({ notes: 'first' });
  await open(id);
  await shown('notes: first').click();
  await field('Notes').fill('mine');
  await call('PATCH', `/api/emails/${id}`, { notes: 'theirs' });
  await page.keyboard.press('Control+Enter');
  await panel().getByText('Somebody has changed this contact since you opened it: notes.').waitFor();
  await panel().getByText('It is now: theirs.').waitFor();
  await expect.poll(() => field('Notes').inputValue()).toBe('mine');
  expect(await seriousFindings(page)).toEqual([]);
  // Leaving the field is no consent.
  await panel().getByRole('heading', { name: 'Timeline' }).click();
  expect((await call('GET', `/api/emails/${id}`)).notes).toBe('theirs');
  await field('Notes').focus();
  await page.keyboard.press('Control+Enter');
  await shown('notes: mine').waitFor();
});

it('keeps the text when it could not be saved', async () => {
  const id = await add();
  await open(id);
  await refuseChanges(id);
  await shown('first name: empty').click();
  await field('First name').fill('Jo');
  await page.keyboard.press('Enter');
  await panel().getByText('Not now.').waitFor();
  await expect.poll(() => field('First name').inputValue()).toBe('Jo');
  await page.unroute(`**/api/emails/${id}`);
  await field('First name').press('Enter');
  await shown('first name: Jo').waitFor();
});

it('tells of what could not be saved once the next contact was open, and keeps it', async () => {
  const id = await add({ notes: 'first' });
  const other = 'zoe@stravaigcraft.scot';
  await call('POST', '/api/emails', { email: other });
  await page.goto(`/email-database?sort=address&search=stravaig&open=${id}`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/api/emails/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await released;
    await route.continue();
  });
  await shown('notes: first').click();
  await field('Notes').fill('a line\nand another');
  await call('PATCH', `/api/emails/${id}`, { notes: 'theirs' });
  await panel().getByRole('button', { name: 'Next record' }).click();
  await page.getByRole('region', { name: other }).waitFor();
  release();
  const told = toast('Not Saved');
  await told.getByText(`Notes of ${address}: Somebody has changed this contact`).waitFor();
  await told.getByRole('button', { name: 'Open the contact' }).click();
  await panel().getByText('It is now: theirs.').waitFor();
  await expect.poll(() => field('Notes').inputValue()).toBe('a line\nand another');
  expect(await seriousFindings(page)).toEqual([]);
  expect(new URL(page.url()).searchParams.get('search')).toBe('stravaig');
  // Not lost by stepping past it, until somebody gives it up.
  await panel().getByRole('button', { name: 'Next record' }).click();
  await page.getByRole('region', { name: other }).getByRole('button', { name: 'Previous record' }).click();
  await field('Notes').press('Escape');
  await shown('notes: theirs').waitFor();
  await expect.poll(focused).toBe('Edit notes: theirs');
});

it('shows what was saved last, also when the save before it fails meanwhile', async () => {
  const id = await add({ notes: 'first' });
  const other = 'zoe@stravaigcraft.scot';
  await call('POST', '/api/emails', { email: other });
  await page.goto(`/email-database?sort=address&search=stravaig&open=${id}`);
  const saves: Route[] = [];
  await page.route(`**/api/emails/${id}`, (route) =>
    route.request().method() === 'PATCH' ? void saves.push(route) : route.continue(),
  );
  await shown('notes: first').click();
  await field('Notes').fill('x');
  await panel().getByRole('button', { name: 'Next record' }).click();
  await page.getByRole('region', { name: other }).getByRole('button', { name: 'Previous record' }).click();
  await shown('notes: first').click();
  await field('Notes').fill('y');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => saves.length).toBe(2);
  await saves[0]?.fulfill({ status: 400, json: { message: 'Not now.' } });
  await toast('Not Saved').getByText(`Notes of ${address}: Not now.`).waitFor();
  await saves[1]?.continue();
  await shown('notes: y').waitFor();
});

/** For a session that ends: what the page still read would tell it so. */
const openQuietly = (id: number) => page.goto(`/email-database?open=${id}`, { waitUntil: 'networkidle' });

/** The session ends, as by itself, while the page stays. */
const endSession = () =>
  page.request.post('/api/auth/sign-out', { headers: { origin: stage.product.url }, data: {} });

const signInAs = async (email: string) => {
  await page.waitForURL(/\/auth\?/);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname === '/email-database');
};

it('keeps what was typed when the session has ended, for whoever typed it', async () => {
  const id = await add({ notes: 'first' });
  await openQuietly(id);
  await shown('notes: first').click();
  await field('Notes').fill('mine');
  await endSession();
  await page.keyboard.press('Control+Enter');
  await signInAs(stage.somebody.email);
  await expect.poll(() => field('Notes').inputValue()).toBe('mine');
  expect(await seriousFindings(page)).toEqual([]);
  await field('Notes').press('Control+Enter');
  await shown('notes: mine').waitFor();
  expect((await call('GET', `/api/emails/${id}`)).notes).toBe('mine');
});

const signOut = async () => {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};
const isSignedOut = () => page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
const question = () => page.getByRole('dialog', { name: 'Sign out without saving?' });

it('asks before what could not be saved goes with the page', async () => {
  const id = await add({ notes: 'first' });
  const other = 'zoe@stravaigcraft.scot';
  await call('POST', '/api/emails', { email: other });
  await refuseChanges(id);
  await page.goto(`/email-database?sort=address&search=stravaig&open=${id}`);
  await shown('notes: first').click();
  await field('Notes').fill('mine');
  await panel().getByRole('button', { name: 'Next record' }).click();
  await toast('Not Saved').getByText(`Notes of ${address}: Not now.`).waitFor();
  await signOut();
  await question().getByText('What you wrote about a contact has changes that are not saved').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await question().getByRole('button', { name: 'Cancel' }).click();
  const asked = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  const leaving = await asked;
  expect(leaving.type()).toBe('beforeunload');
  await leaving.dismiss();
  await page.getByRole('region', { name: other }).getByRole('button', { name: 'Previous record' }).click();
  await expect.poll(() => field('Notes').inputValue()).toBe('mine');
  await field('Notes').press('Escape');
  await shown('notes: first').waitFor();
  await signOut();
  await isSignedOut();
});

it('asks about a field that stands open, and saves it where that can be done', async () => {
  const id = await add({ notes: 'first' });
  await refuseChanges(id);
  await open(id);
  await shown('notes: first').click();
  await field('Notes').fill('mine');
  await signOut();
  await question().getByText('The field “Notes” has changes that are not saved').waitFor();
  await question().getByRole('button', { name: 'Cancel' }).click();
  await page.unroute(`**/api/emails/${id}`);
  await field('Notes').fill('mine again');
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
  await signOut();
  expect((await (await saved).json()).notes).toBe('mine again');
  await isSignedOut();
});

it('tells nobody else of what could not be saved', async () => {
  const id = await add({ notes: 'first' });
  const { email } = await stage.signUp();
  await openQuietly(id);
  const { promise: saving, resolve: save } = Promise.withResolvers<Route>();
  await page.route(`**/api/emails/${id}`, (route) =>
    route.request().method() === 'PATCH' ? save(route) : route.continue(),
  );
  await shown('notes: first').click();
  await field('Notes').fill('mine');
  await page.keyboard.press('Control+Enter');
  const held = await saving;
  await endSession();
  await page.getByRole('searchbox').fill('anybody');
  await signInAs(email);
  await page.getByText('This contact is not there any more').waitFor();
  // What stands there now is read before anything is told.
  const readAgain = page.waitForResponse((answer) => answer.status() === 404);
  await held.fulfill({ status: 400, json: { message: 'Not now.' } });
  await (await readAgain).finished();
  await holdsNone(toast('Not Saved'));
});

it('keeps what was typed into an extra field that somebody else has removed', async () => {
  const id = await add();
  await call('PATCH', `/api/emails/${id}`, { attributes: { phone: '1' } });
  await open(id);
  await shown('phone: 1').click();
  await field('phone').fill('2');
  await call('PATCH', `/api/emails/${id}`, { attributes: { phone: null } });
  await page.keyboard.press('Enter');
  await toast('Not Saved').getByText(`phone of ${address}:`).waitFor();
  await panel().getByText('It is now: empty.').waitFor();
  await field('phone').press('Enter');
  await shown('phone: 2').waitFor();
});

it('saves what was typed where the browser leads away without leaving the field', async () => {
  const id = await add();
  await page.goto('/email-database');
  await page.getByText(address).first().click();
  await shown('first name: empty').click();
  await field('First name').fill('Jo');
  await page.goBack();
  await toast('Email Changed').getByText(`${address}: first name.`).waitFor();
  expect((await call('GET', `/api/emails/${id}`)).firstName).toBe('Jo');
});

it('shows what was typed about a contact that is gone meanwhile, until it is given up', async () => {
  const id = await add({ notes: 'first' });
  const other = 'zoe@stravaigcraft.scot';
  await call('POST', '/api/emails', { email: other });
  await page.goto(`/email-database?sort=address&search=stravaig&open=${id}`);
  await shown('notes: first').click();
  await field('Notes').fill('a line\nand another');
  await call('DELETE', `/api/emails/${id}`);
  await panel().getByRole('button', { name: 'Next record' }).click();
  await toast('Not Saved').getByRole('button', { name: 'Open the contact' }).click();
  const behind = page.getByRole('region', { name: 'What you wrote was not saved' });
  await behind.getByText('and another').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await seriousFindings(page, 'dark')).toEqual([]);
  await behind.getByRole('button', { name: 'Discard it' }).click();
  await behind.waitFor({ state: 'detached' });
  await signOut();
  await isSignedOut();
});

it('asks about a new field before the page goes, and keeps it where another contact is opened', async () => {
  const id = await add();
  const other = 'zoe@stravaigcraft.scot';
  await call('POST', '/api/emails', { email: other });
  await page.goto(`/email-database?sort=address&search=stravaig&open=${id}`);
  await panel().getByRole('button', { name: 'Add a field' }).click();
  await panel().getByLabel('Name of the field').fill('Shoe size');
  await panel().getByLabel('Value').fill('42');
  await signOut();
  await question().getByText('The new field has changes that are not saved').waitFor();
  await question().getByRole('button', { name: 'Cancel' }).click();
  await panel().getByRole('button', { name: 'Next record' }).click();
  await toast('Not Saved').getByText(`shoe size of ${address}: It was left before`).waitFor();
  await toast('Not Saved').getByRole('button', { name: 'Open the contact' }).click();
  await expect.poll(() => field('shoe size').inputValue()).toBe('42');
  await field('shoe size').press('Enter');
  await shown('shoe size: 42').waitFor();
  expect((await call('GET', `/api/emails/${id}`)).attributes).toEqual({ 'shoe size': '42' });
});

it('says to a viewer why nothing can be changed', async () => {
  const id = await add({ firstName: 'Jo', notes: 'read me' });
  await call('PATCH', `/api/emails/${id}`, { attributes: { phone: '1' } });
  await makeViewers(stage.product, stage.somebody);
  await open(id);
  await panel().getByText('read me').waitFor();
  await panel().getByText('Changing contacts needs the editor role.').waitFor();
  await expect
    .poll(() =>
      panel()
        .getByRole('button', { name: /^Edit|^Remove/ })
        .count(),
    )
    .toBe(0);
  const adding = panel().getByRole('button', { name: 'Add a field' });
  await expect.poll(() => adding.getAttribute('aria-disabled')).toBe('true');
  const why = page.getByRole('tooltip').getByText('Changing contacts needs the editor role.');
  await pointAt(adding, why);
  expect(await seriousFindings(page)).toEqual([]);
});

it('asks for the names of a new contact', async () => {
  await page.goto('/email-database?dialog=add');
  const dialog = page.getByRole('dialog', { name: 'Add New Email Address' });
  await dialog.getByLabel('Email address').fill(address);
  await dialog.getByLabel('First name (optional)').fill('Jo');
  await dialog.getByLabel('Last name (optional)').fill('Ash');
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await toast('Email Added').waitFor();
  const { emails } = await call('GET', '/api/emails');
  expect(emails[0]).toMatchObject({ name: 'Jo Ash', firstName: 'Jo', lastName: 'Ash' });
});

it('is edited on a phone, in the drawer', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await add();
  await open(id);
  await shown('first name: empty').click();
  await field('First name').fill('Jo');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: address }).waitFor();
  await shown('first name: empty').click();
  await field('First name').fill('Jo');
  await page.keyboard.press('Enter');
  await shown('first name: Jo').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  // Escape closes what lies over the drawer first.
  await panel().getByRole('button', { name: 'Change the marketing basis: unknown' }).click();
  const dialog = page.getByRole('dialog', { name: 'Marketing basis' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('dialog', { name: address }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: address }).waitFor({ state: 'detached' });
});
