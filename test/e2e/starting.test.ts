// Tests of: shell
import type { Page, Route } from 'playwright';
import { expect, it } from 'vitest';
import { openStageSignedIn } from '#test/support/stage.ts';

// What stands before the first screen is drawn, and what is said when the code does not come.

let page: Page;

openStageSignedIn(
  (stage) => {
    page = stage.page;
  },
  {
    mayComplain:
      /net::ERR_FAILED|Unexpected identifier|Failed to fetch dynamically imported module|ApiError: 0:/,
  },
);

const spinner = () => page.getByRole('status', { name: 'Loading' });
const abort = (route: Route) => route.abort();

it('shows a spinner and nothing else until it is known who is there', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/auth/user', async (route) => {
    await held;
    await route.continue();
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/dashboard');
  await spinner().waitFor();
  // A body with a height would be a stripe in another colour.
  expect(await page.evaluate('document.body.offsetHeight')).toBe(0);
  answer();
  await page.getByRole('region', { name: 'Figures' }).waitFor();
  await spinner().waitFor({ state: 'detached' });
});

it('says so when its code does not come, and tries again', async () => {
  await page.route('**/assets/index*.js', abort);
  await page.goto('/dashboard');
  await page.getByRole('alert').getByText('The page could not be loaded.').waitFor();
  await spinner().waitFor({ state: 'detached' });
  await page.unroute('**/assets/index*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Figures' }).waitFor();
});

it('says so too when its code does not run', async () => {
  await page.route('**/assets/index*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'this is no program' }),
  );
  await page.goto('/dashboard');
  await page.getByRole('alert').getByText('The page could not be started.').waitFor();
});

it('stays in the application when the server is away as a screen is fetched', async () => {
  await page.goto('/dashboard');
  await page.getByRole('region', { name: 'Figures' }).waitFor();
  await page.route('**/*', abort);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByText('The server could not be reached').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/templates');
});
