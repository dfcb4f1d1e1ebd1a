// Tests of: templates
import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { codeIn } from '#test/support/code-field.ts';
import { picture } from '#test/support/pictures.ts';
import { call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let page: Page;
let stage: SignedInStage;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  {
    viewport: { width: 1440, height: 900 },
    // A picture that is not in the zip is looked for beside the page.
    mayComplain: /status of (400|500)|Loading the (stylesheet|image) 'https:|NotSameOrigin/,
  },
);

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const fixture = 'test/fixtures/templates/mailchimp-newsletter.html';

describe('HTML of another program', () => {
  it('comes from a file, clean, with its merge tags, and says what became of it', async () => {
    await page.goto('/templates');
    await button('Create Template').first().click();
    await dialog('Create Email Template')
      .getByRole('button', { name: /^Import HTML/ })
      .click();
    const form = dialog('Import HTML');
    await expect.poll(() => form.getByRole('button', { name: 'Import HTML' }).isDisabled()).toBe(true);
    const file = page.getByLabel('File with HTML');
    await file.setInputFiles({ name: 'a.html', mimeType: 'text/html', buffer: Buffer.from([0x89, 0, 1]) });
    await form.getByText('This file is no HTML.').waitFor();
    const unturned = '<p>*|RSSITEM:TITLE|*</p></body>';
    const html = readFileSync(fixture, 'utf8').replace('</body>', unturned);
    await file.setInputFiles({ name: 'Autumn.html', mimeType: 'text/html', buffer: Buffer.from(html) });
    await expect.poll(() => form.getByRole('textbox', { name: 'HTML' }).inputValue()).toContain('*|FNAME|*');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await form.getByRole('button', { name: 'Import HTML' }).click();

    const found = dialog('Imported HTML');
    await found.getByText('21 merge tags of Mailchimp became ours.').waitFor();
    // The workspace has no contacts: a city is in no import yet.
    await found.getByText('is {{ city }}', { exact: false }).waitFor();
    await found.getByText('3 merge fields that nobody has a value for yet').waitFor();
    await found.getByText('1 merge tag could not be turned into ours').waitFor();
    await found.getByText('*|RSSITEM:TITLE|*', { exact: true }).waitFor();
    await found.getByText('Line 23: a script').waitFor();
    await found.getByText('https://fonts.googleapis.com/css?family=Lato:400,700').waitFor();
    await found.frameLocator('iframe').getByText('Hello Priya').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await found.getByLabel('Template Name').fill('');
    await found.getByRole('button', { name: 'Create Template' }).click();
    await found.getByText('Template name is required').waitFor();
    await found.getByLabel('Template Name').fill('From Mailchimp');
    await found.getByRole('button', { name: 'Create Template' }).click();
    await page.waitForURL(/\/templates\/\d+$/);
    await expect.poll(() => codeIn(page.getByLabel('HTML Content'))).toContain('<!doctype html>');
    const { items } = await call(page, 'GET', '/api/templates');
    expect(items[0]).toMatchObject({ name: 'From Mailchimp', mode: 'html', textContent: null });
    expect(items[0].htmlContent).toContain('Hello {{ first_name }}');
    expect(items[0].htmlContent).not.toMatch(/<script|onclick/);
  });

  it('comes from a zip with its images, which are shown and kept, and says what was not in it', async () => {
    await page.goto('/templates?dialog=import');
    const form = dialog('Import HTML');
    const file = page.getByLabel('File with HTML');
    const zip = (files: Record<string, Uint8Array>) => Buffer.from(zipSync(files));
    const none = zip({ 'a.png': await picture() });
    await file.setInputFiles({ name: 'none.zip', mimeType: 'application/zip', buffer: none });
    await form.getByText('There is no HTML in this zip.').waitFor();
    const html =
      '<p>Dear *|FNAME|*</p><img src="images/Pier.png" alt="The pier"><img src="images/gone.png" alt="">';
    const buffer = zip({
      'index.html': strToU8(html),
      'images/Pier.png': await picture({ width: 300, height: 100 }),
    });
    await file.setInputFiles({ name: 'Autumn news.zip', mimeType: 'application/zip', buffer });
    const found = dialog('Imported HTML');
    await found.getByText('1 image of the zip went to the library of images.', { exact: false }).waitFor();
    const kept = async () => (await call(page, 'GET', '/api/images')).totalCount;
    expect(await kept()).toBe(1);
    await found.getByRole('button', { name: 'Cancel' }).click();
    await dialog('Discard your changes?').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(kept).toBe(0);
    // The page is left on the report.
    await page.goto('/templates?dialog=import');
    await file.setInputFiles({ name: 'Autumn news.zip', mimeType: 'application/zip', buffer });
    await found.getByText('1 image could not be brought in').waitFor();
    expect(await kept()).toBe(1);
    await page.goto('/templates?dialog=import');
    await expect.poll(kept).toBe(0);
    await file.setInputFiles({ name: 'Autumn news.zip', mimeType: 'application/zip', buffer });
    await found.getByText('1 image could not be brought in').waitFor();
    await found.getByText('It is not in the zip.').waitFor();
    await expect.poll(() => found.getByLabel('Template Name').inputValue()).toBe('Autumn news');
    const pier = found.frameLocator('iframe').getByAltText('The pier');
    await expect.poll(async () => (await pier.boundingBox())?.width).toBeGreaterThan(100);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await found.getByRole('button', { name: 'Create Template' }).click();
    await page.waitForURL(/\/templates\/\d+$/);
    const { items } = await call(page, 'GET', '/api/templates');
    expect(items[0].htmlContent).toMatch(/<img src="http[^"]+\/i\/[^"]+\.png" alt="The pier">/);
    const { items: images } = await call(page, 'GET', '/api/images');
    expect(images).toMatchObject([{ name: 'pier', alt: 'The pier' }]);
  });

  it('in the code page of Windows keeps its pounds, and takes its name from its title', async () => {
    await page.goto('/templates?dialog=import');
    const form = dialog('Import HTML');
    const buffer = Buffer.from('<title>Sale at Millbank</title><p>From £20</p>', 'latin1');
    await page.getByLabel('File with HTML').setInputFiles({ name: 'x.htm', mimeType: 'text/html', buffer });
    await expect.poll(() => form.getByRole('textbox', { name: 'HTML' }).inputValue()).toContain('From £20');
    await form.getByRole('button', { name: 'Import HTML' }).click();
    const found = dialog('Imported HTML');
    await found.getByText('Nothing had to be changed.').waitFor();
    await expect.poll(() => found.getByLabel('Template Name').inputValue()).toBe('Sale at Millbank');
  });

  it('stays where it was pasted when it is refused or the call fails, and fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/templates?dialog=import');
    const form = dialog('Import HTML');
    await form.getByRole('textbox', { name: 'HTML' }).fill('<p>Hello from Whitby</p>');
    await page.route('**/api/templates/import', (route) => route.fulfill({ status: 500, body: '' }));
    await form.getByRole('button', { name: 'Import HTML' }).click();
    await form.getByText('The HTML could not be imported.').waitFor();
    await page.unroute('**/api/templates/import');
    await expect
      .poll(() => form.getByRole('textbox', { name: 'HTML' }).inputValue())
      .toBe('<p>Hello from Whitby</p>');
    await form.getByRole('button', { name: 'Import HTML' }).click();
    await dialog('Imported HTML').frameLocator('iframe').getByText('Hello from Whitby').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('is not for those who only read', async () => {
    await makeViewers(stage.product, stage.somebody);
    await page.goto('/templates?dialog=import');
    await page.getByRole('heading', { name: 'My Templates' }).waitFor();
    await page.waitForTimeout(300);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});
