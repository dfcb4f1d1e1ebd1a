// Tests of: account, team
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seriousFindings, seriousFindingsInBoth } from '#test/support/browser.ts';
import { testPassword } from '#test/support/sign-in.ts';
import { call, inDatabaseOf, openStage } from '#test/support/stage.ts';
import { totpOf } from '#test/support/totp.ts';

// People and workspaces in the real product: Tom invites Wendy, who has confirmed her address.

let wendysAddress: string;
let tom: Page;
let wendy: Page;
let rounds = 0;

openStage(
  async (stage) => {
    rounds += 1;
    const unique = `${process.pid}.${rounds}`;
    wendysAddress = `wendy.${unique}@harrowgatefoods.co.uk`;
    const toms = await stage.signUp({
      name: 'Tom Reed',
      email: `tom.${unique}@millbanktools.co.uk`,
    });
    const wendys = await stage.signUp({ name: 'Wendy Harrow', email: wendysAddress });
    await inDatabaseOf(stage.product, 'update users set email_verified = true where email = $1', [
      wendysAddress,
    ]);
    [tom, wendy] = [toms.page, wendys.page];
  },
  { mayComplain: /status of 4/ },
);

const heading = (at: Page, name: string) => at.getByRole('heading', { name, level: 1 }).waitFor();
/** Tom invites Wendy. Returns the link's secret. */
async function invite(): Promise<string> {
  const { link } = await call(tom, 'POST', '/api/team/invitations', { email: wendysAddress, role: 'editor' });
  return link.split('/').at(-1);
}
/** Makes Wendy a member of Tom's workspace and switches her to it. */
async function join(): Promise<void> {
  await call(wendy, 'POST', `/api/invitations/${await invite()}/accept`);
}

describe('an invitation under the bell', () => {
  it('counts as new until the bell is opened, and goes away when it is declined', async () => {
    await invite();
    await wendy.goto('/');
    await heading(wendy, 'Dashboard');
    await wendy.getByRole('button', { name: 'Notifications, 1 new' }).click();
    const waiting = wendy.getByRole('list', { name: 'Invitations' });
    await waiting.getByText('Join millbanktools.co.uk').waitFor();
    await waiting.getByText('Tom Reed invites you as editor.').waitFor();
    expect(await seriousFindingsInBoth(wendy)).toEqual([]);
    await wendy.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await waiting.getByRole('button', { name: 'Decline the invitation to millbanktools.co.uk' }).click();
    await wendy.getByText('Invitation Declined').waitFor();
    await waiting.waitFor({ state: 'detached' });
    await wendy.getByText('No notifications').waitFor();
  });

  it('is accepted with one press on a phone, too, and leads into the workspace', async () => {
    await invite();
    await wendy.setViewportSize({ width: 390, height: 844 });
    await wendy.goto('/');
    await wendy.getByRole('button', { name: 'Account: Wendy Harrow' }).click();
    await wendy.getByRole('menuitem', { name: 'Notifications' }).click();
    const accept = wendy.getByRole('button', { name: 'Accept the invitation to millbanktools.co.uk' });
    await accept.waitFor();
    expect((await accept.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    expect(await seriousFindingsInBoth(wendy)).toEqual([]);
    await accept.click();
    await wendy.waitForURL('/');
    await wendy.setViewportSize({ width: 1440, height: 900 });
    await wendy.getByRole('button', { name: 'Switch workspace' }).getByText('millbanktools.co.uk').waitFor();
    await wendy.getByRole('button', { name: /^Notifications/ }).click();
    await expect.poll(() => wendy.getByRole('list', { name: 'Invitations' }).count()).toBe(0);
  });
});

describe('a workspace that requires two-factor sign-in', () => {
  const dialog = (at: Page) => at.getByRole('dialog');

  /** From the password to the recovery codes, in the open dialog. */
  async function setUpIn(at: Page): Promise<void> {
    await dialog(at).getByLabel('Your password').fill(testPassword);
    await dialog(at).getByRole('button', { name: 'Continue' }).click();
    const key = await dialog(at)
      .getByText(/^Key: /)
      .textContent();
    await dialog(at)
      .getByRole('textbox', { name: 'Code' })
      .fill(totpOf((key ?? '').replace('Key: ', '').trim()));
    await dialog(at).getByRole('button', { name: 'Turn on' }).click();
    await dialog(at).getByRole('button', { name: 'I have kept them' }).click();
  }

  it('is made one in the team by its owner, who sets it up first', async () => {
    await join();
    await tom.goto('/team');
    await tom.getByRole('link', { name: 'Set it up for yourself' }).click();
    await heading(tom, 'Your account');
    await tom.getByRole('button', { name: 'Set up' }).click();
    await setUpIn(tom);
    await tom.goto('/team');
    await tom.getByRole('button', { name: 'Require it' }).click();
    await dialog(tom).getByText('1 person in millbanktools.co.uk has none').waitFor();
    expect(await seriousFindings(tom)).toEqual([]);
    await dialog(tom).getByRole('button', { name: 'Require it' }).click();
    await tom.getByText('1 person has yet to set it up').waitFor();
    await tom
      .getByRole('row', { name: /Wendy Harrow/ })
      .getByText('Missing')
      .waitFor();
    expect(await seriousFindingsInBoth(tom)).toEqual([]);
  });

  it('leads a member to set it up wherever they click, and lets them in then', async () => {
    await join();
    await wendy.goto('/');
    await heading(wendy, 'Dashboard');
    await tom.goto('/account');
    await tom.getByRole('button', { name: 'Set up' }).click();
    await setUpIn(tom);
    await call(tom, 'PATCH', '/api/team/security', { requireTwoFactor: true });
    // She was in the workspace when the rule was switched on. Her next call finds out, whether it
    // comes from this click or in the background.
    await wendy
      .getByRole('link', { name: 'Email Database' })
      .first()
      .click({ timeout: 5000 })
      .catch(() => undefined);
    await heading(wendy, 'Set up two-factor sign-in');
    await wendy.goto('/team');
    await heading(wendy, 'Set up two-factor sign-in');
    await wendy.getByRole('button', { name: 'Work in harrowgatefoods.co.uk' }).waitFor();
    await wendy.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await seriousFindingsInBoth(wendy)).toEqual([]);
    await wendy.getByRole('button', { name: 'Leave millbanktools.co.uk' }).click();
    await dialog(wendy).getByText('You lose access at once.').waitFor();
    await dialog(wendy).getByRole('button', { name: 'Cancel' }).click();
    await wendy.getByRole('button', { name: 'Set up' }).click();
    await setUpIn(wendy);
    await heading(wendy, 'Team');
    await wendy.getByRole('table', { name: 'Members' }).getByText('Tom Reed').waitFor();
  });
});

describe('the account', () => {
  it('keeps what rings the bell', async () => {
    await wendy.goto('/account');
    const finished = wendy.getByRole('switch', { name: 'Finished work' });
    await finished.waitFor();
    await expect.poll(() => finished.isChecked()).toBe(true);
    expect(await seriousFindingsInBoth(wendy)).toEqual([]);
    await finished.click();
    await expect
      .poll(async () => (await (await wendy.request.get('/api/account/notifications')).json()).finished)
      .toBe(false);
    await wendy.reload();
    await wendy.getByRole('switch', { name: 'Finished work', checked: false }).waitFor();
    await wendy.getByRole('switch', { name: 'Failures', checked: true }).waitFor();
  });
});
