// Tests of: campaigns
import type { Page, Route } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindingsInBoth } from '#test/support/browser.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { call, openStageSignedIn, type SignedInStage, signUpEditor } from '#test/support/stage.ts';

let stage: SignedInStage;
let page: Page;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = opened);
  },
  { name: 'Ann Bell', mayComplain: /status of (401|404|409)|ERR_FAILED/ },
);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const state = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
const subject = () => page.getByLabel('Subject', { exact: true });
/** What this browser keeps of what is not saved. */
const kept = () =>
  page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('unsaved:'))");
/** The element that has the focus, as `H1`. */
const focused = () => page.evaluate<string>("document.activeElement?.tagName ?? ''");
const scrolled = () => page.evaluate<number>('Math.round(scrollY)');
const stored = (id: number) => call(page, 'GET', `/api/campaigns/${id}`);
/** A draft, open in the editor. */
async function opened(): Promise<number> {
  const body = { name: 'Spring tea', subject: 'Tea', content: 'Dear you', template: 'simple' };
  const { id } = await call(page, 'POST', '/api/campaigns', body);
  await page.goto(`/campaigns/${id}/edit`);
  await subject().waitFor();
  return id;
}

/** The next save is stored, and the connection drops before the answer. Those after it wait. */
async function lostAnswer(id: number): Promise<{ letGo: () => void }> {
  const held = await heldSaves(id);
  let lost = 0;
  await page.route(`**/api/campaigns/${id}`, async (route) => {
    if (route.request().method() !== 'PUT' || lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  return held;
}

/** Saves wait, until they are let go. */
async function heldSaves(id: number): Promise<{ letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/api/campaigns/${id}`, async (route) => {
    if (route.request().method() === 'PUT') await promise;
    await route.fallback();
  });
  return { letGo: resolve };
}

describe('a campaign that is being written', () => {
  it('saves nothing by itself once somebody has scheduled it, and says so', async () => {
    const id = await opened();
    await subject().fill('Green tea');
    await state(/^Saved at/).waitFor();
    const sendAt = '2098-06-10T09:00:00.000Z';
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt });
    await subject().fill('Green tea from the sl');
    await page.getByText('This campaign was scheduled meanwhile').waitFor();
    const notSaved = state(/^Not saved yet. It leaves on .*10 June 2098 at 10:00 as it was saved./);
    await notSaved.waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    // It would have tried again by now.
    let tries = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT') tries += 1;
    });
    await subject().fill('Green tea from the slopes');
    await page.waitForTimeout(4_000);
    expect([tries, (await stored(id)).subject]).toEqual([0, 'Green tea']);
    await notSaved.waitFor();
    await button('Save Campaign').click();
    await state(/^Saved at/).waitFor();
    expect(await stored(id)).toMatchObject({ status: 'scheduled', subject: 'Green tea from the slopes' });
    // The answer to a save tells that it is a draft again, which saves itself.
    await call(page, 'POST', `/api/campaigns/${id}/cancel`);
    await subject().fill('Oolong');
    await button('Save Campaign').click();
    await expect.poll(() => page.getByText('This campaign was scheduled meanwhile').count()).toBe(0);
    await subject().fill('Oolong from the hills');
    await expect.poll(async () => (await stored(id)).subject).toBe('Oolong from the hills');
  });

  it('asks again before a press changes what is scheduled without the page knowing', async () => {
    const id = await opened();
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-10T09:00:00.000Z' });
    // Nothing is answered before the press, also if it is saved by itself before that.
    const saves = await heldSaves(id);
    await subject().fill('Green tea');
    await button('Save Campaign').click();
    saves.letGo();
    await page.getByText('This campaign was scheduled meanwhile').waitFor();
    expect((await stored(id)).subject).toBe('Tea');
    await button('Save Campaign').click();
    await expect.poll(async () => (await stored(id)).subject).toBe('Green tea');
  });

  it('is saved as it is scheduled by its own button alone, not by a check or a test', async () => {
    const id = await opened();
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-10T09:00:00.000Z' });
    await page.reload();
    await subject().fill('Half a sent');
    for (const name of ['Check', 'Send test']) {
      await button(name).click();
      await page.getByText('Save the campaign first').waitFor();
      await button('Close the message').click();
      await page.getByText('Save the campaign first').waitFor({ state: 'detached' });
    }
    expect([(await stored(id)).subject, await page.getByRole('dialog').count()]).toEqual(['Tea', 0]);
    await button('Save Campaign').click();
    await state(/^Saved at/).waitFor();
    await button('Send test').click();
    await page.getByRole('dialog').waitFor();
    expect((await stored(id)).subject).toBe('Half a sent');
  });

  it('is left as it is scheduled by an editor, who keeps what was typed and goes on with the draft', async () => {
    const id = await opened();
    const { page: sender } = stage.somebody;
    const schedule = () =>
      call(sender, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-10T09:00:00.000Z' });
    await schedule();
    page = await signUpEditor(stage, 'Ed Moss');
    let saves = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT') saves += 1;
    });
    const note = page.getByText(/^This campaign is scheduled, and only somebody who may send can change it/);
    const notSaved = state(
      /^Not saved. This campaign is scheduled, .* taken back first. What you write is kept in this browser.$/,
    );

    await page.goto(`/campaigns/${id}?edit=now`);
    const edit = page.getByRole('dialog', { name: 'Edit Spring tea' });
    await edit.getByText(/^This campaign is scheduled, and only somebody who may send/).waitFor();
    await expect.poll(() => edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await edit.getByRole('button', { name: 'Cancel' }).click();
    await edit.waitFor({ state: 'detached' });
    await button('Actions for Spring tea').click();
    await page.getByRole('menuitem', { name: 'Open in editor' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Edit', exact: true }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Open in editor' }).click();

    await note.waitFor();
    await expect.poll(() => button('Save Campaign').getAttribute('aria-disabled')).toBe('true');
    await subject().fill('Green tea');
    await notSaved.waitFor();
    await button('Check').click();
    await page.getByText('Your changes are not saved').waitFor();
    await button('Close the message').click();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Look again').click();
    // It would have saved itself by now.
    await page.waitForTimeout(4_000);
    await notSaved.waitFor();
    expect([saves, (await stored(id)).subject]).toEqual([0, 'Tea']);
    await call(sender, 'POST', `/api/campaigns/${id}/cancel`);
    await button('Look again').click();
    await state(/^Saved at/).waitFor();
    expect([await note.count(), (await stored(id)).subject]).toEqual([0, 'Green tea']);

    // It is scheduled while it is written.
    await schedule();
    await subject().fill('Green tea from the sl');
    await note.waitFor();
    await notSaved.waitFor();
    const triedOnce = saves;
    await subject().fill('Green tea from the slopes');
    await page.waitForTimeout(4_000);
    expect([saves, (await stored(id)).subject]).toEqual([triedOnce, 'Green tea']);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await button('Restore').click();
    await expect.poll(() => subject().inputValue()).toBe('Green tea from the slopes');
  });

  it('goes on after an answer was lost, and takes nobody else for it', async () => {
    const id = await opened();
    const again = await lostAnswer(id);
    await subject().fill('Green');
    await state(/^Could not save, trying again\./).waitFor();
    expect((await stored(id)).subject).toBe('Green');
    await subject().fill('Green tea');
    again.letGo();
    await state(/^Saved at/).waitFor();
    expect((await stored(id)).subject).toBe('Green tea');
    await expect.poll(() => page.getByText('Somebody else has changed this campaign').count()).toBe(0);
    // What somebody else has written over the lost save is asked about all the same.
    const late = await lostAnswer(id);
    await subject().fill('Black');
    await state(/^Could not save, trying again\./).waitFor();
    await page.request.put(`/api/campaigns/${id}`, { data: { subject: 'Of Ben' } });
    await subject().fill('Black tea');
    const place = await subject().boundingBox();
    late.letGo();
    await page.getByText('Somebody else has changed this campaign').waitFor();
    expect(await subject().boundingBox()).toEqual(place);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    expect((await stored(id)).subject).toBe('Of Ben');
  });

  it('is there again after the session has ended and somebody signs in', async () => {
    const id = await opened();
    // The session ends just before what was written is saved.
    const end = async (route: Route) => {
      await page.request.post('/api/auth/sign-out', { headers: { origin: stage.product.url }, data: {} });
      await route.continue();
    };
    await page.route(`**/api/campaigns/${id}`, end, { times: 1 });
    await subject().fill('After hours');
    await page.waitForURL(/\/auth\?/);
    await expect.poll(() => kept()).toHaveLength(1);
    await page.getByLabel('Email', { exact: true }).fill(stage.somebody.email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await button('Sign in').click();
    await page.waitForURL(/\/campaigns\/\d+\/edit$/);
    await page.getByText(/^There are changes from \d\d:\d\d that were not saved$/).waitFor();
    await expect.poll(() => subject().inputValue()).toBe('Tea');
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await button('Restore').click();
    await state(/^Saved at/).waitFor();
    expect((await stored(id)).subject).toBe('After hours');
    await expect.poll(() => kept()).toEqual([]);
  });

  it('comes back after its tab has died, and asks before it replaces what was saved since', async () => {
    const id = await opened();
    const { context } = stage.somebody;
    const saves = '**/api/campaigns/*';
    await context.route(saves, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.getByText('Own design').click();
    await page.getByRole('textbox', { name: 'Preheader', exact: true }).waitFor();
    await subject().fill('Nearly lost');
    await state('Could not save, trying again. What you write is kept in this browser.').waitFor();
    // That may still be about the design, which was chosen before.
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('Nearly lost');
    await Promise.all([page.waitForEvent('crash'), page.goto('chrome://crash').catch(() => {})]);
    await page.close();
    await context.unroute(saves);
    page = await context.newPage();
    await page.request.put(`/api/campaigns/${id}`, { data: { preheader: 'Of Ben' } });
    await page.goto(`/campaigns/${id}/edit`);
    await page.getByText('A newer version was saved since.').waitFor();
    await button('Restore').click();
    expect(await focused()).toBe('H1');
    await page.getByText('Somebody else has changed this campaign').waitFor();
    expect(await stored(id)).toMatchObject({ subject: 'Tea', preheader: 'Of Ben' });
    await button('Save yours over it').click();
    await state(/^Saved at/).waitFor();
    expect(await focused()).toBe('H1');
    expect(await stored(id)).toMatchObject({ subject: 'Nearly lost', template: 'custom' });
    await expect.poll(() => kept()).toEqual([]);
  });

  it('is kept beside what is undecided, and restoring throws nothing away', async () => {
    const id = await opened();
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-10T09:00:00.000Z' });
    const comeBack = async () => {
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await note.waitFor();
    };
    const note = page.getByText(/^There are changes from \d\d:\d\d that were not saved$/);
    const isKept = state(/as it was saved. What you write is kept in this browser.$/);
    await page.reload();
    await subject().fill('First');
    await isKept.waitFor();
    await comeBack();
    await subject().fill('Second');
    await isKept.waitFor();
    expect(await kept()).toHaveLength(2);
    // What stands in the fields changes places with what was found.
    for (const text of ['First', 'Second', 'First']) {
      await button('Restore').click();
      await expect.poll(() => subject().inputValue()).toBe(text);
      await isKept.waitFor();
      await note.waitFor();
      expect(await kept()).toHaveLength(2);
    }
    await comeBack();
    await button('Restore').click();
    await button('Discard').click();
    await note.waitFor({ state: 'detached' });
    await button('Save Campaign').click();
    await state(/^Saved at/).waitFor();
    await expect.poll(() => kept()).toEqual([]);
  });

  it('stays where its writer has scrolled to while it is saved, and its button has the focus', async () => {
    const id = await opened();
    await page.setViewportSize({ width: 1280, height: 500 });
    const save = async (meanwhile: () => Promise<void>) => {
      const saves = await heldSaves(id);
      await button('Save Campaign').click();
      await expect.poll(() => focused()).toBe('BODY');
      await meanwhile();
      saves.letGo();
      await expect.poll(() => button('Save Campaign').isEnabled()).toBe(true);
    };
    await save(async () => {
      await page.mouse.wheel(0, 400);
      await expect.poll(() => scrolled()).toBe(400);
    });
    await expect.poll(() => focused()).toBe('BUTTON');
    expect(await scrolled()).toBe(400);
    await page.evaluate('scrollTo(0, 0)');
    await save(() => page.getByRole('heading', { name: 'In the inbox' }).click());
    // Somebody has pressed elsewhere meanwhile.
    expect(await focused()).toBe('MAIN');
  });

  it('is forgotten by the browser when somebody discards it, saves it or leaves it', async () => {
    const id = await opened();
    await call(page, 'POST', `/api/campaigns/${id}/schedule`, { sendAt: '2098-06-10T09:00:00.000Z' });
    await page.reload();
    const notSaved = state(/as it was saved. What you write is kept in this browser.$/);
    await subject().fill('Never meant');
    await notSaved.waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await button('Discard').click();
    await expect.poll(() => kept()).toEqual([]);
    await subject().fill('Left');
    await notSaved.waitFor();
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await button('Leave without saving').click();
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await expect.poll(() => kept()).toEqual([]);
    await page.goto(`/campaigns/${id}/edit`);
    await subject().fill('Meant');
    await notSaved.waitFor();
    await button('Save Campaign').click();
    await state(/^Saved at/).waitFor();
    await expect.poll(() => kept()).toEqual([]);
    expect((await stored(id)).subject).toBe('Meant');
  });

  it('takes a copied template back, and offers that no more once it is left', async () => {
    const id = await opened();
    await page.getByText('Own design').click();
    const own = page.getByRole('treeitem', { name: 'Text: Dear you' });
    await own.waitFor();
    const copied = page.getByRole('alert').filter({ hasText: 'Template Copied' });
    const copy = async () => {
      await button('Begin with a template').click();
      const form = page.getByRole('dialog', { name: 'Begin with a template' });
      await form.getByRole('combobox', { name: 'Template' }).click();
      await page.getByRole('option', { name: 'Basic Newsletter' }).click();
      await form.getByRole('button', { name: 'Copy it' }).click();
      await copied.waitFor();
    };
    await copy();
    await copied.getByRole('button', { name: 'Undo' }).click();
    await own.waitFor();
    await copy();
    await button('Check').click();
    // The address changes before the page does.
    await page.getByText('Check who gets it, then send.').waitFor();
    // It would go by itself after 12 seconds.
    await copied.waitFor({ state: 'detached', timeout: 9000 });
    expect((await stored(id)).document.blocks.length).toBeGreaterThan(2);
  });

  it('puts templates that come late into the variants they were chosen for', async () => {
    for (const name of ['First letter', 'Second letter'])
      await call(page, 'POST', '/api/templates', { name, category: 'custom', htmlContent: `<p>${name}</p>` });
    const id = await opened();
    await page.getByText('Own design').click();
    await page.getByRole('switch', { name: 'Try variants first' }).check();
    await page.getByRole('radiogroup', { name: 'What differs' }).getByText('Content').click();
    await button('Add a variant').click();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/\/api\/templates\/\d+$/, async (route) => {
      await held;
      await route.fallback();
    });
    for (const [variant, name] of [
      ['Design B', 'First letter'],
      ['Design C', 'Second letter'],
    ] as const) {
      await page.getByRole('combobox', { name: variant }).click();
      await page.getByRole('option', { name }).click();
    }
    await page.getByLabel('Recipients in the test').fill('30');
    letGo();
    const test = async () => (await stored(id)).abTest;
    await expect
      .poll(async () => (await test())?.variants)
      .toEqual([{ content: '<p>First letter</p>' }, { content: '<p>Second letter</p>' }]);
    expect(await test()).toMatchObject({ share: 30 });
  });

  it('asks whether to leave where the save before that is not answered', async () => {
    await page.clock.install();
    const id = await opened();
    const saves = await heldSaves(id);
    await subject().fill('Green tea');
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    const leave = button('Leave without saving');
    await expect
      .poll(async () => {
        await page.clock.fastForward(10_000);
        return leave.count();
      })
      .toBe(1);
    await leave.click();
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
    saves.letGo();
  });
});
