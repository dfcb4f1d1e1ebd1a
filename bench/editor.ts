import { openBrowser } from '#test/support/browser.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { percentile, startProduct } from './product.ts';
import { report } from './report.ts';

/**
 * How long somebody waits for the visual editor of a template of thirty blocks: from the press on
 * the template to its blocks on the canvas. The first time the editor's code is fetched and MJML is
 * loaded; after that the browser has both. Ten new browsers, each opening it twice.
 */
const promise = 1_000;
const blocks = Array.from({ length: 30 }, (_, n) =>
  n % 3 === 0
    ? { id: `h${n}`, type: 'heading', level: 2, html: `Thing ${n}` }
    : {
        id: `t${n}`,
        type: 'text',
        html: `<p>Dear {{ first_name | default: "friend" }}, thing ${n} is here.</p>`,
      },
);
const document = { version: 1, blocks: [...blocks, { id: 'f', type: 'footer' }] };

const dataDir = makeDataDir();
const product = await startProduct(dataDir);
const browser = await openBrowser();
try {
  const { cookie } = await signUpAt(product.url);
  const answer = await fetch(`${product.url}/api/templates`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Autumn', category: 'custom', document }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { id } = (await answer.json()) as { id: number };
  const times = { first: [] as number[], again: [] as number[] };
  for (let round = 0; round < 10; round++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
    await context.addCookies([{ name, value, url: product.url }]);
    const page = await context.newPage();
    for (const which of ['first', 'again'] as const) {
      await page.goto(`${product.url}/templates`);
      const edit = page.getByRole('button', { name: 'Edit Autumn', exact: true });
      await edit.waitFor();
      await page.waitForLoadState('networkidle');
      const began = performance.now();
      await edit.click();
      await page.waitForURL(`**/templates/${id}`);
      await page.getByRole('treeitem', { name: 'Heading: Thing 27' }).waitFor();
      times[which].push(performance.now() - began);
    }
    await context.close();
  }
  for (const [which, words] of [
    ['first', 'Open the visual editor for the first time, thirty blocks'],
    ['again', 'The same again, with its code in the browser'],
  ] as const) {
    const [half, most] = [percentile(times[which], 50), percentile(times[which], 95)];
    report({
      promise: words,
      figure: `${half.toFixed(0)} ms (95 of 100: ${most.toFixed(0)} ms)`,
      against: `${promise} ms`,
      ratio: half / promise,
    });
  }
} finally {
  await browser.close();
  await product.stop();
  removeDataDir(dataDir);
}
