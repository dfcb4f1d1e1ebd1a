// Tests of: templates, settings, images
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { picture } from '#test/support/pictures.ts';
import { call, openStageSignedIn } from '#test/support/stage.ts';

let page: Page;
openStageSignedIn((opened) => {
  ({ page } = opened);
});

const card = () => page.getByRole('region', { name: 'Email brand', exact: true });
const cardButton = (name: string) => card().getByRole('button', { name, exact: true });
const field = (label: string) => card().getByLabel(label, { exact: true });
const toast = (title: string) => page.getByRole('alert').filter({ hasText: title });
const kept = async () => (await call(page, 'GET', '/api/templates/brand')).brand;

it('is set among the settings, and new visual templates begin with it', async () => {
  const file = { name: 'jug.png', mimeType: 'image/png', buffer: await picture({ width: 200, height: 80 }) };
  await page.request.post('/api/images', { multipart: { file, alt: 'Harbour & Pine' } });
  await page.goto('/settings#brand');
  await cardButton('Choose a logo').click();
  const picker = page.getByRole('dialog', { name: 'Choose an image' });
  await picker
    .getByRole('button', { name: /^Choose / })
    .first()
    .click();
  await picker.getByRole('button', { name: 'Insert image' }).click();
  await expect.poll(() => field('Logo in words').inputValue()).toBe('Harbour & Pine');
  await field('Buttons').fill('#8a1c4a');
  await field('Corners').fill('0');
  await card().getByRole('combobox', { name: 'Font' }).click();
  await page.getByRole('option', { name: 'Georgia' }).click();
  await cardButton('Save brand').click();
  await toast('Brand Saved').waitFor();
  const brand = { button: '#8a1c4a', corner: 0, font: 'Georgia', logoAlt: 'Harbour & Pine' };
  expect(await kept()).toEqual({ ...brand, logo: expect.stringContaining('/i/') });
  await page.reload();
  await expect.poll(() => field('Buttons').inputValue()).toBe('#8a1c4a');
  expect(await seriousFindingsInBoth(page)).toEqual([]);

  await page.goto('/templates/new');
  await page.getByLabel('Template Name').fill('Autumn');
  await page.getByRole('treeitem').first().waitFor();
  await page.getByRole('button', { name: 'Create Template', exact: true }).click();
  await page.waitForURL(/\/templates\/\d+$/);
  const { items } = await call(page, 'GET', '/api/templates');
  const { document } = await call(page, 'GET', `/api/templates/${items[0].id}`);
  expect(document.look).toMatchObject({ button: '#8a1c4a', corner: 0, font: 'Georgia' });

  await page.goto('/settings#brand');
  await field('Buttons').fill('#23613d');
  await expect.poll(() => cardButton('Apply to all templates').isDisabled()).toBe(true);
  await cardButton('Save brand').click();
  await toast('Brand Saved').waitFor();
  await cardButton('Apply to all templates').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply to all' }).click();
  await toast('Brand Applied').getByText('1 template changed.').waitFor();
  const applied = await call(page, 'GET', `/api/templates/${items[0].id}`);
  expect(applied).toMatchObject({ version: 2, document: { look: { button: '#23613d' } } });
});

it('keeps what is chosen while it is being saved', async () => {
  await page.goto('/settings');
  await field('Links').fill('#0c5870');
  const held = Promise.withResolvers<void>();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.route('**/api/templates/brand', async (route) => {
    await held.promise;
    await route.continue();
  });
  await cardButton('Save brand').click();
  await sent;
  await field('Text').fill('#222222');
  held.resolve();
  await toast('Brand Saved').waitFor();
  await expect.poll(() => field('Text').inputValue()).toBe('#222222');
  await expect.poll(() => cardButton('Apply to all templates').isDisabled()).toBe(true);
  await cardButton('Save brand').click();
  await expect.poll(kept).toEqual({ link: '#0c5870', text: '#222222' });
});

it('is not lost by leaving, and goes back to the usual look', async () => {
  await page.request.put('/api/templates/brand', { data: { link: '#23613d' } });
  await page.goto('/settings');
  await expect.poll(() => field('Links').inputValue()).toBe('#23613d');
  await field('Links').fill('#0c5870');
  await page.getByRole('link', { name: 'Templates', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await cardButton('Discard').click();
  await expect.poll(() => field('Links').inputValue()).toBe('#23613d');
  await cardButton('Back to the usual look').click();
  await cardButton('Save brand').click();
  await toast('Brand Saved').waitFor();
  expect(await kept()).toEqual({});
});
