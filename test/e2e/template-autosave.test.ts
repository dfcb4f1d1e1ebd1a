// Tests of: templates
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { codeIn } from '#test/support/code-field.ts';
import { settle } from '#test/support/settle.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { call, openStageSignedIn, type SignedInStage, signUpEditor } from '#test/support/stage.ts';

let stage: SignedInStage;
let page: Page;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  { name: 'Ann Bell', mayComplain: /status of (400|401|404|409)|ERR_FAILED/ },
);

const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true });
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text });
const code = (on = page) => on.getByLabel('HTML Content');
const state = (text: string | RegExp, on = page) => on.getByRole('status').filter({ hasText: text });
/** A template with this HTML, open in the editor. */
async function opened(htmlContent = '<p>One</p>'): Promise<number> {
  const body = { name: 'Autumn news', category: 'custom', htmlContent };
  const { id } = await call(page, 'POST', '/api/templates', body);
  await page.goto(`/templates/${id}`);
  await code().waitFor();
  return id;
}
const stored = (id: number) => call(page, 'GET', `/api/templates/${id}`);
const versions = async (id: number) => (await call(page, 'GET', `/api/templates/${id}/versions`)).items;
/** What this browser keeps of what is not saved. */
const kept = (on = page) =>
  on.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('unsaved:'))");
/** Somebody comes back to the page, so it looks at once. Otherwise it looks every 8 seconds. */
const comeBack = (on = page) => on.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
const signOut = async () => {
  await button(/^Account:/).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};
const signIn = async (email: string) => {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

describe('a template that is being written', () => {
  it('is saved by itself, also when somebody leaves in the middle of a word', async () => {
    const id = await opened();
    await state(/^Saved today at \d\d:\d\d by Ann Bell$/).waitFor();
    await code().fill('<p>Two</p>');
    await state('Saved just now').waitFor();
    expect(await stored(id)).toMatchObject({ htmlContent: '<p>Two</p>' });
    await code().fill('<p>Three</p>');
    await state('Saved just now').waitFor();
    await expect.poll(async () => (await stored(id)).htmlContent).toBe('<p>Three</p>');
    await code().fill('<p>Four</p>');
    await page.getByRole('link', { name: 'Email Templates' }).click();
    await page.getByRole('heading', { name: 'Email Templates' }).waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>Four</p>');
    expect(await versions(id)).toMatchObject([{ isAutomatic: true, savedBy: 'Ann Bell' }, { version: 1 }]);
    expect(await kept()).toEqual([]);
  });

  it('is saved in blocks and in MJML too, and says what is wrong with it', async () => {
    const id = await opened();
    const turn = (name: string) =>
      page.getByRole('radiogroup', { name: 'Write it as' }).getByText(name, { exact: true }).click();
    await turn('Visual');
    await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('tree').waitFor();
    await page.getByLabel('Template Name').fill('');
    await state('Not saved: Template name is required').waitFor();
    await page.getByLabel('Template Name').fill('Blocks');
    // What was pasted has no way to unsubscribe, which the server wants of blocks.
    await state(/^Not saved: Nobody could unsubscribe/).waitFor();
    await button('Add Footer').click();
    await state('Saved just now').waitFor();
    expect(await stored(id)).toMatchObject({ name: 'Blocks', mode: 'visual' });
    await turn('MJML');
    const mjml = page.getByLabel('MJML Content');
    await mjml.waitFor();
    await mjml.press('Control+Home');
    // Without its first line it has no beginning.
    for (const key of ['Shift+End', 'Delete']) await mjml.press(key);
    await state(/^Not saved: .*ml/).waitFor();
    await button('Save Template').click();
    await page.getByText('This was not saved').waitFor();
    await mjml.press('Control+z');
    await state('Saved just now').waitFor();
    expect(await stored(id)).toMatchObject({ mode: 'mjml' });
    await expect.poll(() => page.getByText('This was not saved').count()).toBe(0);
  });

  it('comes back after its tab has died without an answer of the server', async () => {
    const id = await opened();
    const { context } = stage.somebody;
    const saves = '**/api/templates/*';
    await context.route(saves, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await code().fill('<p>Nearly lost</p>');
    await state('Could not save, trying again. What you write is kept in this browser.').waitFor();
    expect(await kept()).toHaveLength(1);
    await Promise.all([page.waitForEvent('crash'), page.goto('chrome://crash').catch(() => {})]);
    await page.close();
    await context.unroute(saves);
    page = await context.newPage();
    await page.goto(`/templates/${id}`);
    await page.getByText(/^There are changes from \d\d:\d\d that were not saved$/).waitFor();
    await expect.poll(() => codeIn(code())).toBe('<p>One</p>');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Restore').click();
    await state('Saved just now').waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>Nearly lost</p>');
    expect(await kept()).toEqual([]);
  });

  it('is there again after the session has ended and somebody signs in', async () => {
    const id = await opened();
    const address = `**/api/templates/${id}`;
    // The session ends just before what was written is saved.
    await page.route(address, async (route) => {
      await page.request.post('/api/auth/sign-out', { headers: { origin: stage.product.url }, data: {} });
      await route.continue();
    });
    await code().fill('<p>After hours</p>');
    await page.waitForURL(/\/auth\?/);
    await page.unroute(address);
    await expect.poll(() => kept()).toHaveLength(1);
    await signIn(stage.somebody.email);
    await page.waitForURL(/\/templates\/\d+$/);
    await button('Restore').click();
    await state('Saved just now').waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>After hours</p>');
  });

  it('is forgotten by the browser when somebody discards it, leaves it or signs out', async () => {
    await page.goto('/templates/new');
    await page.getByLabel('Template Name').fill('Never made');
    await state('Not created yet. What you write is kept in this browser.').waitFor();
    await page.reload();
    await page.getByText('They are of “Never made”, which was not created.').waitFor();
    await button('Discard').click();
    await expect.poll(() => kept()).toEqual([]);
    await page.getByLabel('Template Name').fill('Left');
    await expect.poll(() => kept()).toHaveLength(1);
    await page.getByRole('link', { name: 'Email Templates' }).click();
    await button('Leave without saving').click();
    await page.getByRole('heading', { name: 'Email Templates' }).waitFor();
    expect(await kept()).toEqual([]);
    await page.goto('/templates/new');
    await page.getByLabel('Template Name').fill('Secret');
    await signOut();
    await page.getByText(/^One draft is not saved/).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Cancel').click();
    await expect.poll(() => page.getByLabel('Template Name').inputValue()).toBe('Secret');
    await signOut();
    await button('Discard and sign out').click();
    await page.waitForURL((url) => url.pathname === '/');
    expect(await kept()).toEqual([]);
  });

  it('is saved when somebody signs out, or waits for them and is shown to nobody else', async () => {
    const { email } = stage.somebody;
    const id = await opened();
    await code().fill('<p>On the way out</p>');
    await signOut();
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto('/auth?next=/templates/new');
    await signIn(email);
    await page.getByRole('tree').waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>On the way out</p>');
    await page.getByLabel('Template Name').fill('Secret of Ann');
    await signOut();
    await button('Keep and sign out').click();
    await page.waitForURL((url) => url.pathname === '/');
    const ben = await signUpEditor(stage, 'Ben Reed');
    const { email: bens } = await call(ben, 'GET', '/api/auth/user');
    await page.goto('/auth?next=/templates/new');
    await signIn(bens);
    await page.getByRole('tree').waitFor();
    await page.getByLabel('Template Name').fill('');
    await expect.poll(() => page.getByText(/that were not saved$/).count()).toBe(0);
    expect(await kept()).toHaveLength(1);
    // Ben has written nothing, so he is not asked, and what waits for Ann stays.
    await signOut();
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto('/auth?next=/templates/new');
    await signIn(email);
    await button('Restore').click();
    await expect.poll(() => page.getByLabel('Template Name').inputValue()).toBe('Secret of Ann');
    // Somebody else signs in in another tab: nothing is saved in their name, and all of it is kept.
    await page.getByLabel('Template Name').fill('Still of Ann');
    await page.request.post('/api/auth/sign-in/email', {
      headers: { origin: stage.product.url },
      data: { email: bens, password: testPassword },
    });
    // A call in the background may be refused first. Then there is nothing left to press.
    const signingIn = page.waitForURL(/\/auth\?/);
    await Promise.race([button('Create Template').click(), signingIn]);
    await signingIn;
    const { items } = await call(page, 'GET', '/api/templates');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Autumn news']);
    expect(await kept()).toHaveLength(1);
  });

  it('loses nothing that is typed while it is created, and goes on where one is', async () => {
    await page.goto('/templates/new');
    await page.getByRole('tree').waitFor();
    const name = page.getByLabel('Template Name');
    await name.fill('Autumn');
    let answer = () => {};
    const waited = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/templates', async (route) => {
      if (route.request().method() === 'POST') await waited;
      await route.continue();
    });
    await button('Create Template').click();
    await state('Saving…').waitFor();
    await name.press('End');
    await name.pressSequentially(' news');
    await button('Add Divider').click();
    answer();
    await page.waitForURL(/\/templates\/\d+$/);
    await expect.poll(() => name.inputValue()).toBe('Autumn news');
    await page.getByRole('treeitem', { name: /Divider/ }).waitFor();
    await state('Saved just now').waitFor();
    const id = Number(page.url().split('/').at(-1));
    await expect
      .poll(async () => {
        const { name: called, document } = await stored(id);
        return [called, document.blocks.some(({ type }: { type: string }) => type === 'divider')];
      })
      .toEqual(['Autumn news', true]);
    await button('Undo').click();
    await expect.poll(() => page.getByRole('treeitem', { name: /Divider/ }).count()).toBe(0);
    // A new one after it begins from nothing.
    await state('Saved just now').waitFor();
    await page.getByRole('link', { name: 'Email Templates' }).click();
    await button('Create Template').first().click();
    await page.getByRole('button', { name: /^Visual editor/ }).click();
    await page.getByRole('heading', { name: 'New template' }).waitFor();
    await expect.poll(() => page.getByLabel('Template Name').inputValue()).toBe('');
  });

  it('is never replaced by what was left of another one that was not created', async () => {
    await page.goto('/templates/new');
    const name = page.getByLabel('Template Name');
    const left = page.getByText('They are of “First”, which was not created.');
    await name.fill('First');
    await state('Not created yet. What you write is kept in this browser.').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await left.waitFor();
    await name.fill('Second');
    await button('Create Template').click();
    await page.waitForURL(/\/templates\/\d+$/);
    await state('Saved just now').waitFor();
    await expect.poll(() => left.count()).toBe(0);
    expect(await kept()).toHaveLength(1);
    await page.goto('/templates/new');
    await left.waitFor();
    await button('Restore').click();
    await expect.poll(() => name.inputValue()).toBe('First');
  });

  it('stays when somebody writes on and only then takes a restored version back', async () => {
    const id = await opened();
    await call(page, 'PATCH', `/api/templates/${id}`, { htmlContent: '<p>Two</p>' });
    await page.reload();
    await expect.poll(() => codeIn(code())).toBe('<p>Two</p>');
    await button('Versions').click();
    await button('Go back to version 1').click();
    const undo = toast('Version Restored').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await expect.poll(() => codeIn(code())).toBe('<p>One</p>');
    await code().fill('<p>Three</p>');
    await undo.click();
    await toast('Version 2 is among the versions.').waitFor();
    expect(await codeIn(code())).toBe('<p>Three</p>');
    expect((await stored(id)).htmlContent).toBe('<p>Three</p>');
  });

  it('tells each of two people what the other saves, before either of them saves over it', async () => {
    const id = await opened();
    const ben = await signUpEditor(stage, 'Ben Reed');
    await ben.goto(`/templates/${id}`);
    await state('Ann Bell is editing this too', ben).waitFor();
    await code(ben).fill('<p>Of Ben</p>');
    await state('Saved just now', ben).waitFor();
    // Ann has done nothing: the page looks by itself.
    await page.getByText(/^Ben Reed saved a newer version at \d\d:\d\d$/).waitFor();
    await state('Ben Reed is editing this too').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Take theirs').click();
    await expect.poll(() => codeIn(code())).toBe('<p>Of Ben</p>');
    await code().fill('<p>Of both</p>');
    await state('Saved just now').waitFor();
    await code(ben).fill('<p>Of Ben alone</p>');
    await comeBack(ben);
    await ben.getByText(/^Ann Bell saved a newer version at \d\d:\d\d$/).waitFor();
    await state(
      'Not saved: there is a newer version. What you write is kept in this browser.',
      ben,
    ).waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>Of both</p>');
    await button('Save mine over it', ben).click();
    await state('Saved just now', ben).waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>Of Ben alone</p>');
    expect((await versions(id)).map(({ savedBy }: { savedBy: string }) => savedBy)).toEqual([
      ...['Ben Reed', 'Ann Bell', 'Ben Reed', 'Ann Bell'],
    ]);
    const said = ben.waitForResponse(
      (answer) => answer.request().method() === 'DELETE' && answer.url().includes('/presence/'),
    );
    await ben.getByRole('link', { name: 'Email Templates' }).click();
    await ben.getByRole('heading', { name: 'Email Templates' }).waitFor();
    await said;
    await comeBack();
    await expect.poll(() => state('Ben Reed is editing this too').count()).toBe(0);
    const second = await page.context().newPage();
    await second.goto(`/templates/${id}`);
    await state('You have this open in another tab', second).waitFor();
    await second.reload();
    await state('You have this open in another tab', second).waitFor();
    await second.close({ runBeforeUnload: true });
    await comeBack();
    await expect.poll(() => state('You have this open in another tab').count()).toBe(0);
  });

  it('says that a colleague has deleted it, and brings it back with what was written since', async () => {
    const id = await opened();
    await settle(page);
    const before = await code().boundingBox();
    await call(page, 'DELETE', `/api/templates/${id}`);
    await code().fill('<p>Still here</p>');
    await comeBack();
    await page.getByText('This template was deleted').waitFor();
    await settle(page);
    // What is pressed and written in stays where it is.
    expect(await code().boundingBox()).toEqual(before);
    await button('Bring it back').click();
    await state('Saved just now').waitFor();
    expect((await stored(id)).htmlContent).toBe('<p>Still here</p>');
  });

  it('goes back to an earlier version without leaving the editor', async () => {
    const id = await opened();
    await code().fill('<p>Two</p>');
    await button('Versions').click();
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await dialog.getByText('Version 2, current, saved automatically').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Go back to version 1' }).click();
    await expect.poll(() => codeIn(code())).toBe('<p>One</p>');
    await button('Undo').click();
    await expect.poll(() => codeIn(code())).toBe('<p>Two</p>');
    await code().fill('<p>Three</p>');
    await state('Saved just now').waitFor();
    expect((await versions(id)).map(({ version }: { version: number }) => version)).toEqual([5, 4, 3, 2, 1]);
  });
});
