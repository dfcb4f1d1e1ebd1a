// Tests of: imports, lists, tags, segments, email-database, templates, images, mail
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { picture } from '#test/support/pictures.ts';
import { countNewCorporate, segmentEditor, thisMonth } from '#test/support/segment-editor.ts';
import { call, inDatabaseOf, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';
import { drag } from '#test/support/visual-editor/drag.ts';

// The way from a file of contacts to a template that is ready for them, on the real pages, with
// mouse and keyboard.

let stage: SignedInStage;
let page: Page;
openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  { viewport: { width: 1440, height: 900 } },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name });
const card = (name: string) => page.getByRole('region', { name, exact: true });
const block = (name: string | RegExp) => page.getByRole('treeitem', { name });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const { rule, value, addRule, choose, chooseValues } = segmentEditor(() => page);

/** Companies and private mailboxes, British and not. Every second of each is an agency. */
const file = Array.from({ length: 60 }, (_, index) => {
  const domain = ['harbourpine.co.uk', 'gmail.com', 'firma.de', 'millbank.org.uk'][index % 4];
  const first = index === 0 ? 'Ada' : '';
  return `${index % 8 < 4 ? 'person' : 'agency'}${index}@${domain},${first}`;
});
/** 15 have each domain. Of the British companies 8 and 7 are no agencies, and 2 are older. */
const expected = 16 - 2;

it('leads from a file to a segment and to a template that was tested and taken back', {
  timeout: 240_000,
}, async () => {
  await importIntoList();
  const tag = await tagHalf();
  await makeOlder();
  await makeSegment(tag);
  await writeTemplate();
  await previewAs('person0@harbourpine', 'Hello Ada, welcome');
  await previewAs('person8@harbourpine', 'Hello friend, welcome');
  await sendTest();
  await takeBack();
});

async function importIntoList() {
  await page.goto('/imports');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      ...{ name: 'fair.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`email,first name\n${file.join('\n')}\n`),
    });
  await page.waitForURL(/\/imports\/\d+$/);
  await page.getByLabel('Filter non-UK domains').uncheck();
  await card('Lists and tags').getByRole('combobox', { name: 'List' }).fill('Spring fair');
  await page.getByRole('option', { name: 'Make the list “Spring fair”' }).click();
  await button('Import 60 contacts').click();
  await page.getByText('Contacts imported').waitFor();
  await page.getByRole('link', { name: 'Spring fair', exact: true }).click();
  await page.getByText('1–20 of 60').waitFor();
}

/** Half of the list, which a filter finds. Answers the tag. */
async function tagHalf(): Promise<number> {
  await page.getByPlaceholder(/^Search/).fill('agency');
  await page.getByText('1–20 of 28').waitFor();
  await page.getByRole('checkbox').first().check();
  await button('Select all 28').click();
  await button('Tag').click();
  await dialog().getByRole('combobox', { name: 'Tag' }).fill('agency');
  await dialog().getByRole('button', { name: 'Tag 28 contacts' }).click();
  await toast('Bulk Action Complete').getByText('28 contacts are now tagged agency.').waitFor();
  const [tag] = await call(page, 'GET', '/api/tags');
  expect(tag).toMatchObject({ name: 'agency', contactCount: 28 });
  return tag.id;
}

/** Two of those the segment would mean have been there for longer than this month. */
const makeOlder = () =>
  inDatabaseOf(
    stage.product,
    `update contacts set created_at = created_at - interval '40 days'
     where workspace_id = $1 and local in ('person0', 'person3')`,
    [stage.somebody.workspaceId],
  );

async function makeSegment(tag: number) {
  expect(await countNewCorporate(stage.product, stage.somebody, tag)).toBe(expected);
  await page.goto('/lists');
  await button('Create segment').click();
  await page.getByLabel('Name').fill('UK corporate, new');
  await addRule();
  await choose(1, 'Field', 'UK Class');
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
  await rule(4).getByText(String(expected), { exact: true }).waitFor();
  const figures = card('Contacts now');
  await figures.getByText(String(expected), { exact: true }).first().waitFor();
  await figures.getByText(/^Exact/).waitFor();
  const sample = page.getByRole('list', { name: '10 contacts' }).getByRole('listitem');
  await expect.poll(() => sample.count()).toBe(10);
  for (const words of await sample.allTextContents())
    expect(words).toMatch(/person\d+@(harbourpine\.co|millbank\.org)\.uk/);
  await button('Save segment').click();
  await toast('List Created').waitFor();
  await page.getByRole('link', { name: `${expected} contacts on UK corporate, new` }).click();
  await page.getByText(`1–${expected} of ${expected}`).waitFor();

  const [download] = await Promise.all([page.waitForEvent('download'), button('Export').last().click()]);
  const lines: string[] = [];
  for await (const part of await download.createReadStream()) lines.push(String(part));
  const exported = lines.join('').match(/[a-z]+\d+@\S+?\.uk/g) ?? [];
  expect(new Set(exported).size).toBe(expected);
  for (const address of exported) expect(address).toMatch(/^person/);
}

async function writeTemplate() {
  await page.goto('/templates/new');
  await page.getByRole('tree').waitFor();
  await page.getByLabel('Template Name').fill('Autumn news');
  await button('Add two columns').click();
  const [first, second] = [block('Column 1: Empty'), block('Column 2: Empty')];
  await expect.poll(async () => (await first.boundingBox())?.height).toBeGreaterThan(20);
  await drag(button('Add Image'), first, 0.5);
  await block('Image').click();
  await button('Choose a picture').click();
  const buffer = await picture({ width: 600, height: 300 });
  await dialog('Choose an image')
    .getByLabel('Images to upload')
    .first()
    .setInputFiles({ name: 'jug.png', mimeType: 'image/png', buffer });
  await dialog('Choose an image').getByLabel('Alternative text').fill('A blue jug');
  await button('Insert image').click();
  await block('Image: A blue jug').waitFor();

  await drag(button('Add Text'), second, 0.5);
  await block('Text: Write your text here.').nth(1).dblclick();
  const words = page.getByRole('textbox', { name: 'Text', exact: true });
  const hasFocus = () => words.evaluate((own) => own.matches(':focus-within'));
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Hello ');
  await button('Insert a merge field').click();
  await dialog('Insert a field').getByText('1 of 60 contacts has one.').waitFor();
  await dialog('Insert a field').getByLabel('For those without one').fill('friend');
  await dialog('Insert a field').getByRole('button', { name: 'Insert' }).click();
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.type(', welcome');
  await page.keyboard.press('Escape');
  await block('Text: Hello First name or “friend”, welcome').waitFor();

  await drag(button('Add Button'), block(/^Footer/), 0.1);
  await block('Button: Find out more').last().click();
  await page.getByLabel('Label', { exact: true }).fill('Order now');
  await page.getByLabel('Link', { exact: true }).fill('https://shop.example/');
  await block('Button: Order now').waitFor();
  await button('Create Template').click();
  await page.waitForURL(/\/templates\/\d+$/);
  await page.getByText('Saved just now').waitFor();
}

async function previewAs(search: string, words: string) {
  await button('Preview').click();
  const preview = dialog(/^Template Preview/);
  // The dialog takes the focus a moment after it is there.
  await preview.locator(':focus').waitFor();
  await preview.getByRole('combobox', { name: 'Preview as' }).fill(search);
  await page.getByRole('option', { name: `${search}.co.uk` }).click();
  const frame = preview.frameLocator('iframe');
  await frame.getByText(words).waitFor();
  await frame.getByRole('img', { name: 'A blue jug' }).waitFor();
  await page.keyboard.press('Escape');
}

async function sendTest() {
  await button('Send test').click();
  const test = dialog('Send a test');
  await test.getByLabel('Subject (optional)').fill('Autumn for {{ first_name | default: "you" }}');
  await test.getByRole('button', { name: 'Send test' }).click();
  await toast('Test Sent').waitFor();
  await page.goto('/outbox');
  await page
    .getByText(/^\[Test\] Autumn for/)
    .first()
    .click();
  const look = dialog().locator('iframe').contentFrame();
  await look.getByText(/Hello .+, welcome/).waitFor();
  await dialog().getByText('Text', { exact: true }).click();
  await dialog()
    .locator('pre')
    .getByText(/Hello .+, welcome/)
    .waitFor();
}

/** A copy is changed, and its first version comes back. The original stays as it is. */
async function takeBack() {
  await page.goto('/templates');
  await button('Actions for Autumn news').click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await button('Edit Autumn news (copy)').click();
  await block('Button: Order now').click();
  await page.getByLabel('Label', { exact: true }).fill('Order today');
  await button('Save Template').click();
  await page.getByText('Saved just now').waitFor();
  const copy = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  const stored = async () => (await call(page, 'GET', `/api/templates/${copy}`)).htmlContent;
  expect(await stored()).toContain('Order today');
  await page.goto('/templates');
  await button('Actions for Autumn news (copy)').click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await button('Go back to version 1').click();
  await toast('Version Restored').waitFor();
  expect(await stored()).toContain('Order now');
  expect(await stored()).not.toContain('Order today');
  await button('Edit Autumn news (copy)').click();
  await block('Button: Order now').waitFor();
}
