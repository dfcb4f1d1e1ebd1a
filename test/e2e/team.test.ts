// Tests of: team, account, api-keys
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { call, inDatabaseOf, openStageSignedIn, type SignedInStage } from '#test/support/stage.ts';
import { totpOf } from '#test/support/totp.ts';

// People in the real product: an owner invites, a guest joins, and the owner's account gets a
// second factor.

let stage: SignedInStage;
let page: Page;

openStageSignedIn(
  (opened) => {
    stage = opened;
    ({ page } = stage);
  },
  // From a wrong code, a session that does not exist yet, a workspace that is no longer the current
  // one, and a call that fails on purpose.
  { mayComplain: /status of 4|net::ERR_FAILED/ },
);

const heading = (at: Page, name: string) => at.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = () => page.getByRole('dialog');

/** Somebody the owner has invited: their address and the link mailed to them. */
async function invite(email: string): Promise<{ email: string; link: string }> {
  const { link } = await call(page, 'POST', '/api/team/invitations', { email, role: 'editor' });
  return { email, link };
}
let guests = 0;
const newAddress = () => {
  guests += 1;
  return `sam.okafor.${process.pid}.${guests}@gmail.com`;
};

describe('a team', () => {
  it('begins with its owner, who invites from the palette or the button', async () => {
    await page.goto('/team');
    await heading(page, 'Team');
    await page.getByRole('table', { name: 'Members' }).getByText('Priya Shah').waitFor();
    await page.getByText('Nobody is invited').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);

    await page.goto('/team?open=invite');
    await dialog().getByLabel('Email').fill('sam.okafor@gmail.com');
    await dialog().getByRole('button', { name: 'Send invitation' }).click();
    const link = await dialog().getByLabel('Link of the invitation').inputValue();
    expect(link).toMatch(/\/invitation\/[\w-]{43}$/);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Invitations' }).getByText('sam.okafor@gmail.com').waitFor();

    // Several at once, one of them none.
    await page.goto('/team?open=invite');
    await dialog().getByLabel('Email').fill('Ann Lee <ann.lee@gmail.com>, nonsense\nbob.lee@gmail.com');
    await dialog().getByRole('button', { name: 'Send 3 invitations' }).click();
    await page.getByRole('dialog', { name: 'Not everybody was invited' }).waitFor();
    await dialog().getByText('This is no email address.').waitFor();
    await dialog().getByLabel('Link of the invitation for bob.lee@gmail.com').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Invitations' }).getByText('bob.lee@gmail.com').waitFor();
  });

  it.each([
    ['copies the new link of an invitation', undefined, 'The new link is in the outbox, and copied.'],
    [
      'says so where it may not copy',
      'delete Navigator.prototype.clipboard',
      'The new link is in the outbox.',
    ],
  ])('%s', async (_what, before, words) => {
    if (before) await page.addInitScript(before);
    else await stage.somebody.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // One address gets few invitations an hour.
    const { email } = await invite(newAddress());
    await page.goto('/team');
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Send again' }).click();
    await page.getByText(`No mail server is set up. ${words}`, { exact: true }).waitFor();
  });

  it('keeps the mail where no mail server is set up', async () => {
    const { link } = await invite('sam.okafor@gmail.com');
    await page.goto('/team');
    const invitations = page.getByRole('region', { name: 'Invitations' });
    await invitations.getByText('No mail server is set up: mail is kept in the outbox').waitFor();
    await invitations.getByRole('link', { name: 'Outbox' }).click();
    await heading(page, 'Outbox');
    await page.goto('/');
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Outbox' }).click();
    await heading(page, 'Outbox');
    await page.getByText('No mail server is set up').waitFor();
    await page.getByRole('table', { name: 'Mail' }).getByText('sam.okafor@gmail.com').click();
    await dialog().getByText('invites you to the workspace').waitFor();
    await expect.poll(() => dialog().getByText(link, { exact: false }).count()).toBeGreaterThan(0);
    expect(await seriousFindingsInBoth(page)).toEqual([]);
  });

  it('lets the guest in by the link, after they have made an account', async () => {
    const { email, link } = await invite(newAddress());
    const { page: guest } = await stage.visit();
    await guest.goto(new URL(link).pathname);
    await heading(guest, "Join Priya's workspace");
    expect(await seriousFindingsInBoth(guest)).toEqual([]);
    await guest.getByRole('link', { name: 'Make an account' }).click();
    await guest.getByLabel('Name').fill('Sam Okafor');
    // It is known who was invited, and the address bar does not say so.
    await expect.poll(() => guest.getByLabel('Email').inputValue()).toBe(email);
    expect(decodeURIComponent(guest.url())).not.toContain(email);
    await guest.getByLabel('Password', { exact: true }).fill(testPassword);
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByRole('button', { name: 'Join' }).click();
    await heading(guest, 'Dashboard');
    await guest.getByRole('button', { name: 'Switch workspace' }).getByText("Priya's workspace").waitFor();

    await page.goto('/team');
    await page.getByRole('table', { name: 'Members' }).getByText('Sam Okafor').waitFor();
  });

  it('shows a member their new role, and switches workspaces without mixing them', async () => {
    const sam = await stage.signUp({ name: 'Sam Okafor', email: newAddress() });
    const { link } = await invite(sam.email);
    await call(sam.page, 'POST', `/api/invitations/${link.split('/').at(-1)}/accept`);
    await page.goto('/team');
    const members = page.getByRole('table', { name: 'Members' });
    await members.getByRole('button', { name: 'Actions for Sam Okafor' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await dialog().getByLabel('Role').click();
    await page.getByRole('option', { name: 'Viewer' }).click();
    await dialog().getByRole('button', { name: 'Change role' }).click();
    await members
      .getByRole('row', { name: /Sam Okafor/ })
      .getByText('Viewer')
      .waitFor();

    const guest = sam.page;
    await guest.goto('/team');
    await guest.getByRole('table', { name: 'Members' }).waitFor();
    await expect.poll(() => guest.getByRole('button', { name: 'Invite people' }).count()).toBe(0);
    const other = await sam.context.newPage();
    await other.goto('/team');
    await other.getByRole('button', { name: 'Switch workspace' }).click();
    await other.getByRole('menuitem', { name: /Sam's workspace/ }).click();
    await other.getByRole('button', { name: 'Switch workspace' }).getByText("Sam's workspace").waitFor();
    // The first window still shows the previous workspace. Its actions must not affect the other.
    await guest.getByRole('button', { name: 'Leave' }).click();
    await guest.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await guest.getByText('this page shows another workspace').waitFor();
  });

  it('shows and changes one workspace in each window, also once the session has moved on', async () => {
    const { workspace } = await call(page, 'GET', '/api/auth/user');
    await page.goto('/settings');
    const days = page.getByRole('region', { name: 'Retention' }).getByLabel('Bin', { exact: true });
    await days.waitFor();
    // Another window makes a workspace and is at work there.
    await call(page, 'POST', '/api/workspaces', { name: 'Second Ltd' });
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    // The page reads who is signed in once the name is saved.
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByLabel('Name').fill('Priya B. Shah');
    await profile.getByRole('button', { name: 'Save' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'You are at work in Second Ltd now' });
    await note.waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await days.fill('14');
    await page.getByRole('button', { name: 'Save retention' }).click();
    await page.getByRole('alert').filter({ hasText: 'Update Failed' }).waitFor();
    expect((await call(page, 'GET', '/api/settings')).retention.binDays).not.toBe(14);
    await page.getByRole('button', { name: 'Switch workspace' }).getByText(workspace.name).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.getByRole('region', { name: 'Retention' }).getByRole('button', { name: 'Discard' }).click();
    await note.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Switch workspace' }).getByText('Second Ltd').waitFor();
    await expect.poll(() => note.count()).toBe(0);
  });

  it('tells that the session has moved on, also after a read of who is signed in has failed', async () => {
    await page.goto('/account');
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByLabel('Name').fill('Priya B. Shah');
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/auth/user'));
    await page.route('**/api/auth/user', (route) => route.abort(), { times: 1 });
    await profile.getByRole('button', { name: 'Save' }).click();
    await failed;
    // Another window makes a workspace and is at work there.
    await call(page, 'POST', '/api/workspaces', { name: 'Second Ltd' });
    await page.getByRole('link', { name: 'Lists' }).click();
    // A list that cannot be read says it too, and has no such button.
    await page.getByRole('button', { name: 'Reload', exact: true }).waitFor();
  });

  it('asks about what is not saved before a workspace is left or made, and not afterwards', async () => {
    const { workspace: first } = await call(page, 'GET', '/api/auth/user');
    await call(page, 'POST', '/api/workspaces', { name: 'Second Ltd' });
    await call(page, 'POST', '/api/workspaces/current', { id: first.id });
    const atWork = async () => (await call(page, 'GET', '/api/auth/user')).workspace.name;
    await page.goto('/settings');
    const days = page.getByRole('region', { name: 'Retention' }).getByLabel('Bin', { exact: true });
    await days.fill('21');
    const switcher = page.getByRole('button', { name: 'Switch workspace' });
    const asked = page.getByRole('dialog', { name: 'Leave this workspace without saving?' });
    await switcher.click();
    await page.getByRole('menuitem', { name: /^Second Ltd/ }).click();
    await asked.getByText('Retention has changes that are not saved, and gone').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    expect(await atWork()).toBe(first.name);
    await switcher.click();
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await dialog().getByLabel('Name').fill('Third Ltd');
    await dialog().getByRole('button', { name: 'Make workspace' }).click();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await atWork()).toBe(first.name);
    await expect.poll(() => days.inputValue()).toBe('21 days');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search or go to' }).fill('Second');
    await dialog().getByText('Switch to Second Ltd').click();
    await asked.getByRole('button', { name: 'Leave without saving' }).click();
    await switcher.getByText('Second Ltd').waitFor();
    expect(await atWork()).toBe('Second Ltd');
  });

  it('decides what becomes of the API keys of who may less or leaves', async () => {
    const sam = await stage.signUp({ name: 'Sam Okafor', email: newAddress() });
    const invitation = { email: sam.email, role: 'admin' };
    const { link } = await call(page, 'POST', '/api/team/invitations', invitation);
    await call(sam.page, 'POST', `/api/invitations/${link.split('/').at(-1)}/accept`);
    const make = (name: string) => call(sam.page, 'POST', '/api/keys', { name, scopes: ['contacts:read'] });
    await make('Nightly copy');
    const members = page.getByRole('table', { name: 'Members' });
    const ask = async (what: string) => {
      await page.goto('/team');
      await members.getByRole('button', { name: 'Actions for Sam Okafor' }).click();
      await page.getByRole('menuitem', { name: what }).click();
      await dialog().waitFor();
    };
    const choose = async (role: string) => {
      await dialog().getByLabel('Role').click();
      await page.getByRole('option', { name: role }).click();
    };
    await ask('Change role');
    await choose('Viewer');
    await dialog().getByRole('radiogroup', { name: '1 API key acts for Sam Okafor' }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Change role' }).click();
    await members
      .getByRole('row', { name: /Sam Okafor/ })
      .getByText('Viewer')
      .waitFor();

    await page.goto('/api-keys');
    const keys = page.getByRole('table', { name: 'API keys' });
    const copy = keys.getByRole('row', { name: /Nightly copy/ });
    await copy.getByText('Sam Okafor (viewer)').waitFor();
    await copy.getByRole('button', { name: 'Actions for Nightly copy' }).click();
    await page.getByRole('menuitem', { name: 'Take over' }).click();
    await dialog().getByText('does no more than they may').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Take over' }).click();
    await copy.getByText('You (owner)').waitFor();
    await expect.poll(() => copy.getByText('Sam Okafor').count()).toBe(1);

    await ask('Change role');
    await choose('Admin');
    await dialog().getByRole('button', { name: 'Change role' }).click();
    await members
      .getByRole('row', { name: /Sam Okafor/ })
      .getByText('Admin')
      .waitFor();
    await make('Website form');
    await ask('Remove');
    await dialog().getByRole('radio', { name: 'Revoke', exact: true }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Member Removed').first().waitFor();
    await page.goto('/api-keys');
    await copy.waitFor();
    await expect.poll(() => keys.getByText('Website form').count()).toBe(0);
  });
});

describe('an account', () => {
  it('gets a second factor, which is asked for at the next sign-in', async () => {
    await page.goto('/account');
    await heading(page, 'Your account');
    await page.getByText('This one').waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set up' }).click();
    await dialog().getByLabel('Your password').fill(testPassword);
    await dialog().getByRole('button', { name: 'Continue' }).click();
    await dialog()
      .getByRole('img', { name: /QR code/ })
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const key = await dialog()
      .getByText(/^Key: /)
      .textContent();
    const secret = (key ?? '').replace('Key: ', '').trim();
    await dialog().getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog().getByRole('button', { name: 'Turn on' }).click();
    await dialog().getByText('That code is not right').waitFor();
    await dialog().getByRole('textbox', { name: 'Code' }).fill(totpOf(secret));
    await dialog().getByRole('button', { name: 'Turn on' }).click();
    await dialog().getByText('They are shown this once').waitFor();
    await page.mouse.click(5, 5);
    const codes = await dialog().getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    await dialog().getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes left.').waitFor();

    const { email } = await call(page, 'GET', '/api/account');
    const { page: elsewhere } = await stage.visit();
    await elsewhere.goto('/auth');
    await elsewhere.getByLabel('Email').fill(email);
    await elsewhere.getByLabel('Password', { exact: true }).fill(testPassword);
    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await elsewhere.getByLabel('Code of your authenticator app').waitFor();
    expect(await seriousFindingsInBoth(elsewhere)).toEqual([]);
    await elsewhere.getByRole('button', { name: 'Use a recovery code' }).click();
    await elsewhere.getByLabel('Recovery code').fill(codes[0] ?? '');
    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await heading(elsewhere, 'Dashboard');
  });

  it('has its address confirmed by whoever is signed in to it, and by nobody else', async () => {
    const sam = await stage.signUp({ name: 'Sam Okafor', email: newAddress() });
    await call(sam.page, 'POST', '/api/account/email/proof');
    const [mail] = await inDatabaseOf(
      stage.product,
      `select link from outbox where recipient = $1 and kind = 'email_proof'`,
      [sam.email],
    );
    const { pathname, search } = new URL(mail.link);
    const confirm = (at: Page) => at.getByRole('button', { name: 'Confirm the address' });
    await page.goto(`${pathname}${search}`);
    await confirm(page).click();
    await page.getByText('This link is for another account').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await seriousFindingsInBoth(page)).toEqual([]);

    const { page: mailbox } = await stage.visit();
    await mailbox.goto(`${pathname}${search}`);
    await heading(mailbox, 'Confirm your email address');
    await mailbox.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await seriousFindingsInBoth(mailbox)).toEqual([]);
    await mailbox.getByRole('link', { name: 'Sign in' }).click();
    await mailbox.getByLabel('Email').fill(sam.email);
    await mailbox.getByLabel('Password', { exact: true }).fill(testPassword);
    await mailbox.getByRole('button', { name: 'Sign in' }).click();
    await mailbox.getByText(`You are signed in as ${sam.email}.`).waitFor();
    await confirm(mailbox).click();
    await heading(mailbox, 'Your address is confirmed');
    expect(await call(mailbox, 'GET', '/api/account')).toMatchObject({ emailVerified: true });
  });

  it('is opened again with a mailed link after the password was forgotten', async () => {
    const { page: lost } = await stage.visit();
    await lost.goto('/auth');
    await lost.getByRole('link', { name: 'Forgot your password?' }).click();
    // The page before it has a field of the same name.
    await lost.getByRole('button', { name: 'Send the link' }).waitFor();
    await lost.getByLabel('Email').fill(stage.somebody.email);
    await lost.getByRole('button', { name: 'Send the link' }).click();
    await lost.getByText('No mail server is set up here').waitFor();
    expect(await seriousFindingsInBoth(lost)).toEqual([]);
    await lost.goto('/reset-password?token=a-link-that-somebody-made-up-themselves');
    await lost.getByLabel('New password').fill('nine slow otters swim');
    await lost.getByRole('button', { name: 'Set the password' }).click();
    await lost.getByText('This link has been used or has run out').waitFor();
    expect(await seriousFindingsInBoth(lost)).toEqual([]);
  });
});
