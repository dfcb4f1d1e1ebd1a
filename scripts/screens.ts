import type { Page } from 'playwright';
import { contactFile } from '#apps/seed/files.ts';
import { campaignScreens } from './screens-campaigns.ts';

/**
 * Who looks at a screen: the demo workspace's owner, the installation's administrator, or a person
 * who must first set up two-factor sign-in.
 */
export type Viewer = 'owner' | 'administrator' | 'held-up';

export interface Screen {
  name: string;
  /** Absent: nobody is signed in. */
  as?: Viewer;
  /** This screen does not exist on a phone. */
  notOnPhone?: boolean;
  /** Opens the screen and waits until it is there. */
  show: (page: Page) => Promise<unknown>;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
/** The page renders fetched content after its first heading. */
export const settled = (page: Page) => page.waitForLoadState('networkidle');

export const screens: Screen[] = [
  {
    name: 'welcome',
    show: async (page) => {
      await page.goto('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'sign-in',
    show: async (page) => {
      await page.goto('/auth');
      await page.getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'dashboard',
    as: 'owner',
    show: async (page) => {
      await page.goto('/');
      await heading(page, 'Dashboard');
      await page.getByText('Last import', { exact: true }).waitFor();
    },
  },
  {
    name: 'email-database',
    as: 'owner',
    show: async (page) => {
      const { emails } = await fetched<{ emails: { id: number }[] }>(page, '/api/emails?limit=5');
      await page.goto(`/email-database?open=${emails[2]?.id}`);
      await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'bin',
    as: 'owner',
    show: async (page) => {
      await page.goto('/bin');
      await heading(page, /Bin$/);
      await settled(page);
    },
  },
  {
    name: 'activities',
    as: 'owner',
    show: async (page) => {
      await page.goto('/activities');
      await heading(page, 'Activities');
      await settled(page);
    },
  },
  {
    name: 'activities-days',
    as: 'owner',
    show: async (page) => {
      await page.goto('/activities');
      await page.getByRole('button', { name: 'Days: Any day' }).click();
      const calendar = page.getByRole('dialog', { name: /^Days/ });
      await calendar.getByRole('button', { name: 'Last 30 days' }).click();
      await page.getByRole('button', { name: /^Days: \d/ }).click();
      await calendar.waitFor();
    },
  },
  {
    name: 'email-database-view-menu',
    as: 'owner',
    show: async (page) => {
      await keepViews(page);
      await page.goto('/email-database');
      await page.getByRole('button', { name: /^View: / }).click();
      await page.getByRole('menuitem', { name: 'Suppressed in Scotland' }).waitFor();
    },
  },
  {
    name: 'email-database-columns',
    as: 'owner',
    notOnPhone: true,
    show: async (page) => {
      await page.goto('/email-database');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('dialog', { name: 'Columns' }).getByText('Not shown').waitFor();
    },
  },
  {
    name: 'email-database-export',
    as: 'owner',
    show: async (page) => {
      await page.goto('/email-database');
      await page
        .getByRole('button', { name: 'Choose the format of the export' })
        .or(page.getByRole('button', { name: 'More actions' }))
        .filter({ visible: true })
        .click();
      await page.getByText('your default').waitFor();
    },
  },
  {
    name: 'email-database-selection',
    as: 'owner',
    show: async (page) => {
      await page.goto('/email-database');
      await heading(page, 'Email Database');
      const onPhone = (page.viewportSize()?.width ?? 0) < 768;
      if (onPhone) return pickOnPhone(page);
      for (const row of [1, 2, 4]) await page.getByRole('row').nth(row).getByRole('checkbox').check();
    },
  },
  {
    name: 'contact-verdict',
    as: 'owner',
    show: async (page) => {
      await verifyAll(page);
      const { emails } = await fetched<{ emails: { id: number }[] }>(page, '/api/emails?riskFrom=30&limit=1');
      if (!emails[0]) throw new Error('The demo workspace has no contact at risk.');
      await page.goto(`/email-database?open=${emails[0].id}`);
      await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'review',
    as: 'owner',
    show: async (page) => {
      await decideSome(page);
      await page.goto('/review');
      await heading(page, 'Review');
      await page
        .getByRole('button', { name: /^Correct / })
        .first()
        .waitFor();
    },
  },
  {
    name: 'review-past-decisions',
    as: 'owner',
    show: async (page) => {
      await decideSome(page);
      await page.goto('/review?tab=history');
      await page
        .getByText('In force')
        .or(page.getByText(/^Corrected: /))
        .first()
        .waitFor();
    },
  },
  {
    name: 'import-data',
    as: 'owner',
    show: async (page) => {
      await page.goto('/imports');
      await heading(page, 'Import Data');
      await page.getByText('trade-show-2026.csv').first().waitFor();
    },
  },
  {
    name: 'import-check',
    as: 'owner',
    show: async (page) => {
      await chooseFile(page, 'spring-catalogue-2026.csv', 24_000);
      await page.getByRole('button', { name: /^Import [\d,]+ contacts$/ }).waitFor();
    },
  },
  {
    name: 'import-result',
    as: 'owner',
    show: async (page) => {
      const { items } = await fetched<{ items: { id: number; fileName: string }[] }>(page, '/api/imports');
      const show = items.find(({ fileName }) => fileName === 'trade-show-2026.csv');
      await page.goto(`/imports/${show?.id}`);
      await heading(page, 'trade-show-2026.csv');
    },
  },
  ...(
    [
      ['suppressions', '/suppressions', 'Suppressions'],
      ['lists', '/lists', 'Lists'],
      ['templates', '/templates', 'Email Templates'],
      ['images', '/templates/images', 'Images'],
      ['team', '/team', 'Team'],
      ['account', '/account', 'Your account'],
      ['api-keys', '/api-keys', 'API Keys'],
      ['audit-log', '/audit', 'Audit Log'],
      ['outbox', '/outbox', 'Outbox'],
      ['settings', '/settings', 'Settings'],
    ] as const
  ).map(([name, path, title]) => ({
    name,
    as: 'owner' as const,
    show: async (page: Page) => {
      await page.goto(path);
      await heading(page, title);
    },
  })),
  {
    name: 'segment',
    as: 'owner',
    show: async (page) => {
      const lists = await fetched<{ id: number; isDynamic: boolean }[]>(page, '/api/lists');
      await page.goto(`/lists/${lists.find(({ isDynamic }) => isDynamic)?.id}/rules`);
      await page.getByText(/^Exact/).waitFor();
      await page.getByText('Another sample').waitFor();
    },
  },
  {
    name: 'template-editor',
    as: 'owner',
    show: async (page) => {
      const search = encodeURIComponent('Monthly letter');
      const { items } = await fetched<{ items: { id: number }[] }>(page, `/api/templates?search=${search}`);
      await page.goto(`/templates/${items[0]?.id}`);
      await page.getByRole('tree').getByRole('treeitem').first().waitFor();
    },
  },
  ...campaignScreens,
  {
    name: 'two-factor-gate',
    as: 'held-up',
    show: async (page) => {
      await page.goto('/');
      await heading(page, 'Set up two-factor sign-in');
    },
  },
  {
    name: 'admin',
    as: 'administrator',
    show: async (page) => {
      await page.goto('/admin');
      await page.getByRole('region', { name: 'Newest users' }).getByText(/@/).first().waitFor();
    },
  },
  {
    name: 'admin-queue',
    as: 'administrator',
    show: async (page) => {
      await page.goto('/admin?tab=queue&view=all');
      await page.getByText('trade-show-2026.csv').first().waitFor();
    },
  },
  {
    name: 'not-found',
    as: 'owner',
    show: async (page) => {
      await page.goto('/no-such-page');
      await page.getByText('404 Page Not Found').waitFor();
    },
  },
];

let isVerified = false;

/** Verdicts on all contacts, without DNS queries. Doing it once is enough. */
async function verifyAll(page: Page): Promise<void> {
  if (isVerified) return;
  const answer = await page.request.post('/api/verifications', { data: { dns: false } });
  if (!answer.ok()) throw new Error(`verification: ${answer.status()} ${await answer.text()}`);
  isVerified = true;
}

let isDecided = false;

/** Accepts three suggested corrections and merges the contacts of two people. */
async function decideSome(page: Page): Promise<void> {
  if (isDecided) return;
  await verifyAll(page);
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  };
  const corrections = await fetched<{ items: { from: string; to: string }[] }>(
    page,
    '/api/review/corrections',
  );
  for (const pattern of corrections.items.slice(-3))
    await post('/api/review/corrections/accept', { pattern });
  const people = await fetched<{ items: { keepId: number; contacts: { id: number }[] }[] }>(
    page,
    '/api/review/duplicates',
  );
  for (const { keepId, contacts } of people.items.slice(-2)) {
    const otherIds = contacts.map(({ id }) => id).filter((id) => id !== keepId);
    await post('/api/review/duplicates/merge', { keepId, otherIds });
  }
  isDecided = true;
}

let areViewsKept = false;

async function keepViews(page: Page): Promise<void> {
  if (areViewsKept) return;
  for (const [name, state, shared] of [
    ['Suppressed in Scotland', { search: '.scot', status: 'suppressed' }, false],
    ['From the trade show', { source: 'stand B14' }, true],
    ['Likely UK, not verified', { uk: 'likely_uk', sort: 'address' }, true],
  ] as const) {
    const data = { screen: 'contacts', name, state, shared };
    const answer = await page.request.post('/api/views', { data });
    if (!answer.ok()) throw new Error(`view: ${answer.status()} ${await answer.text()}`);
  }
  areViewsKept = true;
}

/** On a phone, people select the first row through its menu. Then all rows have check boxes. */
async function pickOnPhone(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await page.getByText('1 selected').waitFor();
}

async function fetched<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(path)).json() as Promise<T>;
}

/** Chooses a file with this many rows to import, as a person would. */
export async function chooseFile(page: Page, name: string, rows: number): Promise<void> {
  const shares = { duplicates: 0.06, invalid: 0.03, nonUk: 0.08, suppressed: 0.002 };
  const text = contactFile({
    seed: rows,
    rows,
    shares,
    known: [],
    suppressed: [],
    sources: ['catalogue', 'website'],
    years: [2025, 2026],
  });
  await page.goto('/imports');
  await heading(page, 'Import Data');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}
