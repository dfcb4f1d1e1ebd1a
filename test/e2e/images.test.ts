// Tests of: images
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { codeIn, writeHtml } from '#test/support/code-field.ts';
import { noisePicture, picture } from '#test/support/pictures.ts';
import { call, makeViewers, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';

let page: Page;
let stage: SignedInStage;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  // From uploads that are refused on purpose.
  { viewport: { width: 1440, height: 900 }, mayComplain: /status of (400|413|415|500)/ },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const tile = (name: string) => page.getByRole('article', { name, exact: true });
const toast = (title: string) =>
  page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
const file = (name: string, buffer: Buffer, mimeType = 'image/png') => ({ name, mimeType, buffer });
const choose = (...files: ReturnType<typeof file>[]) =>
  page.getByLabel('Images to upload').first().setInputFiles(files);
const upload = async (name: string, fields: Record<string, string> = {}) => {
  const multipart = { ...fields, file: file(name, await picture({ width: 320, height: 200 })) };
  return (await page.request.post('/api/images', { multipart })).json();
};
/** The width of a picture once it is drawn. */
const drawnWidth = (picture: Locator): Promise<number> => picture.evaluate((one) => one.naturalWidth);

/** Lets the page have a file from the clipboard or the mouse. */
const hand = async (event: 'paste' | 'drop', name: string) =>
  page.evaluate(`{
    const bytes = Uint8Array.from(atob('${(await picture()).toString('base64')}'), (one) => one.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], '${name}', { type: 'image/png' }));
    const init = { bubbles: true, cancelable: true };
    if ('${event}' === 'paste')
      document.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
    else
      document.querySelector('.mantine-Dropzone-root')
        .dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: data }));
  }`);

describe('the library', () => {
  it('takes images by button, by drop and by paste, and says what it does not take', async () => {
    await page.goto('/templates');
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByText('No images yet').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await choose(
      file('Harbour.jpg', await noisePicture({ width: 1800, height: 900 }), 'image/jpeg'),
      file('drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
      file('huge.png', Buffer.alloc(5 * 1_048_576 + 1)),
    );
    await tile('Harbour').getByText('1,200 × 600').waitFor();
    await tile('Harbour').getByText('No alternative text').waitFor();
    await tile('Harbour').getByText('Over 200 kB').waitFor();
    await page.getByRole('alert').filter({ hasText: 'drawing.svg' }).getByText('SVG drawing').waitFor();
    await page.getByRole('alert').filter({ hasText: 'huge.png' }).getByText('5 MB allowed').waitFor();
    await expect.poll(() => drawnWidth(tile('Harbour').locator('img'))).toBe(1200);
    await hand('paste', 'Pasted.png');
    await tile('Pasted').waitFor();
    await hand('drop', 'Dropped.png');
    await tile('Dropped').waitFor();
    await page.getByText(/of 1 GB used/).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('is searched; an image gets its words, is deleted without asking, and comes back', async () => {
    await upload('Logo.png');
    await upload('Team.png', { alt: 'Five people on a bench' });
    await page.goto('/templates/images');
    await page.getByRole('searchbox', { name: 'Search images' }).fill('bench');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await button('Open Logo').click();
    const form = dialog('Logo');
    await form.getByText('No template and no campaign shows it.').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await form.getByLabel('Name').fill('Our logo');
    await form.getByLabel('Alternative text').fill('A kestrel over a hill');
    await form.getByRole('button', { name: 'Save' }).click();
    await toast('Image Updated').waitFor();
    await expect.poll(() => tile('Our logo').getByText('No alternative text').count()).toBe(0);
    await tile('Our logo').getByRole('button', { name: 'Actions for Our logo' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await toast('Image Deleted').getByRole('button', { name: 'Undo' }).click();
    await toast('Image Restored').waitFor();
    await tile('Our logo').waitFor();
    expect((await call(page, 'GET', '/api/images?search=kestrel')).items).toHaveLength(1);
  });

  it('says when the images do not come', async () => {
    await page.route('**/api/images?*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Not just now.', code: 'internal' } }),
    );
    await page.goto('/templates/images');
    await page.getByText('The images could not be loaded').waitFor();
    await page.unroute('**/api/images?*');
    await button('Try again').first().click();
    await page.getByText('No images yet').waitFor();
  });

  it('lets viewers look', async () => {
    await upload('Logo.png');
    await makeViewers(stage.product, stage.somebody);
    await page.goto('/templates/images');
    await tile('Logo').waitFor();
    await expect.poll(() => button('Upload images').getAttribute('aria-disabled')).toBe('true');
    await tile('Logo').getByRole('button', { name: 'Actions for Logo' }).click();
    await page.getByRole('menuitem', { name: 'Copy address' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
  });
});

describe('choosing an image for a template', () => {
  it('asks what it shows, puts it where the cursor was, and shows it in the preview', async () => {
    const logo = await upload('Logo.png');
    await page.goto('/templates?dialog=new');
    const form = dialog('Create Email Template');
    await form.getByLabel('Template Name').fill('News');
    const html = form.getByLabel('HTML Content');
    await html.fill('<p>Before</p><p>After</p>');
    await html.press('Control+Home');
    for (let step = 0; step < '<p>Before</p>'.length; step++) await html.press('ArrowRight');
    await form.getByRole('button', { name: 'Insert image' }).click();
    const picker = dialog('Choose an image');
    await picker.getByRole('button', { name: 'Choose Logo' }).click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await picker.getByRole('button', { name: 'Insert image' }).click();
    await picker.getByText('Say what it shows, or that it only decorates.').waitFor();
    await picker.getByLabel('Alternative text').fill('Our “logo” & more');
    await picker.getByRole('button', { name: 'Insert image' }).click();
    await expect.poll(() => picker.count()).toBe(0);
    const tag = `<img src="${logo.url}" alt="Our “logo” &amp; more" width="320" style="max-width: 100%; height: auto; border: 0;">`;
    await expect.poll(() => codeIn(html)).toBe(`<p>Before</p>${tag}<p>After</p>`);
    // In a frame of its own that nothing runs in, and under a policy that lets few pictures in.
    const shown = page.frameLocator('iframe[title="How News looks"]').locator('img');
    await expect.poll(() => drawnWidth(shown)).toBe(320);
    await expect
      .poll(async () => (await call(page, 'GET', `/api/images/${logo.id}`)).alt)
      .toBe('Our “logo” & more');
  });

  it('is left by Escape alone, and takes a new image at once', async () => {
    await page.goto('/templates?dialog=new');
    const form = dialog('Create Email Template');
    await writeHtml(form, '<p>Kept</p>');
    await form.getByRole('button', { name: 'Insert image' }).click();
    const picker = dialog('Choose an image');
    await picker.getByText('No images yet').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => picker.count()).toBe(0);
    await expect.poll(() => codeIn(form.getByLabel('HTML Content'))).toBe('<p>Kept</p>');
    await expect.poll(() => page.getByText('Discard your changes?').count()).toBe(0);
    await form.getByRole('button', { name: 'Insert image' }).click();
    await choose(file('Pier.png', await picture({ width: 900, height: 300 })));
    await picker.getByLabel('It only decorates: readers without pictures miss nothing').check();
    await picker.getByRole('button', { name: 'Insert image' }).click();
    await expect.poll(() => codeIn(form.getByLabel('HTML Content'))).toContain('alt="" width="600"');
  });
});
