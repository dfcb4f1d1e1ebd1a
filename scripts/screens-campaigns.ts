import type { Page } from 'playwright';
import type { Screen } from './screens.ts';

/** The screens of campaigns, and what has to have happened before there is something to see. */

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

interface Made {
  sent: number;
  draft: number;
}
let made: Promise<Made> | undefined;

/** Sends two campaigns of the demo workspace, lets some readers open them, and writes another. */
const campaignsOf = (page: Page): Promise<Made> => {
  made ??= makeCampaigns(page);
  return made;
};

async function makeCampaigns(page: Page): Promise<Made> {
  const lists = await read<{ id: number; isDynamic: boolean; contactCount: number }[]>(page, '/api/lists');
  const list = lists.filter(({ isDynamic }) => !isDynamic)[0];
  const { items } = await read<{ items: { id: number }[] }>(
    page,
    `/api/templates?search=${encodeURIComponent('Monthly letter')}`,
  );
  const common = { templateId: items[0]?.id, audience: { include: [{ list: list?.id }] } };
  await sendAndRead(page, 2, { ...common, name: 'October letter', subject: 'Before the clocks go back' });
  const sent = await sendAndRead(page, 3, {
    ...{ ...common, name: 'November letter', subject: '{{ first_name }}, your tools for the winter' },
  });
  const draft = await post<{ id: number }>(page, '/api/campaigns', {
    ...{ ...common, name: 'December letter', subject: 'Open between the years' },
    abTest: { share: 40, variants: [{ subject: '{{ first_name }}, we are open between the years' }] },
  });
  return { sent, draft: draft.id };
}

/** Sends a campaign, and lets the readers of so many pages of the outbox read it. */
async function sendAndRead(page: Page, pages: number, campaign: object): Promise<number> {
  const { id } = await post<{ id: number }>(page, '/api/campaigns', campaign);
  await post(page, `/api/campaigns/${id}/send`, {});
  const status = async () => (await read<{ status: string }>(page, `/api/campaigns/${id}`)).status;
  while ((await status()) !== 'completed') await page.waitForTimeout(200);
  // What is opened within two seconds is opened by machines.
  await page.waitForTimeout(2_500);
  await readSome(page, pages);
  return id;
}

const programs = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
];
/** Which of the programs some readers have, one after the other, and where they are. */
const shares = [1, 0, 2, 1, 3, 0, 1, 2, 1, 4, 0, 3, 1];
const networks = ['212.58.244.20', '81.2.69.142', '212.58.244.21', '86.40.0.1', '8.8.8.8', '212.58.244.22'];

/** Some readers open the message, and a third of them follow a link. */
async function readSome(page: Page, pages: number): Promise<void> {
  let cursor = '';
  for (let at = 0; at < pages; at += 1) {
    const path = `/api/outbox/messages?limit=200${cursor && `&cursor=${cursor}`}`;
    const { items, nextCursor } = await read<{ items: { id: number }[]; nextCursor: string }>(page, path);
    for (const [place, { id }] of items.entries()) if (place % 5 < 4) await readOne(page, id, place);
    cursor = nextCursor;
  }
}

async function readOne(page: Page, id: number, place: number): Promise<void> {
  const answer = await page.request.get(`/api/outbox/messages/${id}/source`);
  const source = (await answer.text()).replaceAll('=\r\n', '');
  const [pixel] = /\/o\/[\w-]+/.exec(source) ?? [];
  const clicks = source.match(/\/c\/[\w-]+/g) ?? [];
  const headers = {
    'user-agent': programs[shares[place % shares.length] ?? 0] ?? '',
    'x-forwarded-for': networks[place % networks.length] ?? '',
  };
  if (pixel) await page.request.get(pixel, { headers });
  const click = clicks[(place * 7) % Math.max(clicks.length, 1)];
  if (place % 4 === 0 && click) await page.request.get(click, { headers, maxRedirects: 0 });
}

async function read<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(path)).json() as Promise<T>;
}

async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(path, { data });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json() as Promise<T>;
}

export const campaignScreens: Screen[] = [
  {
    name: 'campaigns',
    as: 'owner',
    show: async (page) => {
      await campaignsOf(page);
      await page.goto('/campaigns');
      await page.getByText('November letter').first().waitFor();
    },
  },
  {
    name: 'campaign-report',
    as: 'owner',
    show: async (page) => {
      const { sent } = await campaignsOf(page);
      await page.goto(`/campaigns/${sent}`);
      await heading(page, 'November letter');
      await page.getByText('Rate over time').waitFor();
    },
  },
  {
    name: 'campaign-check',
    as: 'owner',
    show: async (page) => {
      const { draft } = await campaignsOf(page);
      await page.goto(`/campaigns/${draft}/check`);
      await page.getByText('Postal address', { exact: true }).waitFor();
    },
  },
  {
    name: 'campaign-editor',
    as: 'owner',
    show: async (page) => {
      const { draft } = await campaignsOf(page);
      await page.goto(`/campaigns/${draft}/edit`);
      await page.getByRole('heading', { name: 'A/B test' }).waitFor();
    },
  },
];
