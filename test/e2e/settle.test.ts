import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { settle } from '#test/support/settle.ts';
import { openStage } from '#test/support/stage.ts';

// Pictures and measured colours are of pages that have come to rest.

let page: Page;

openStage(async ({ visit }) => {
  ({ page } = await visit({ colorScheme: 'light' }));
});

/** A page of our own, at an address of the product, with a spinner that never ends. */
async function show(style: string, script = ''): Promise<void> {
  await page.route('**/resting', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html data-mantine-color-scheme="light"><style>
        @keyframes turn { to { rotate: 360deg } }
        #spinner { animation: turn 1s linear infinite; width: 20px; height: 20px }
        ${style}
        </style><body><p id="text">Dear reader</p><div id="spinner"></div><script>${script}</script></body></html>`,
    }),
  );
  await page.goto('/resting', { waitUntil: 'domcontentloaded' });
}

const styleOf = (name: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('#text')).getPropertyValue('${name}')`);

it('a page has settled when its animations are over, also those that follow one', async () => {
  await show(
    `@keyframes appear { from { opacity: 0.2 } }
     #text { transition: translate 500ms }
     #text.begun { animation: appear 500ms }
     #text.moved { translate: 40px }`,
    `const text = document.querySelector('#text');
     text.addEventListener('animationend', () => text.classList.add('moved'));
     text.addEventListener('transitionend', () => { window.isOver = true });`,
  );
  // It begins with the look, because this process may be slow to look.
  const begin = "document.querySelector('#text').classList.add('begun'); window.isOver";
  expect(await page.evaluate(begin)).toBeUndefined();
  await settle(page);
  expect(await page.evaluate('window.isOver')).toBe(true);
  expect([await styleOf('opacity'), await styleOf('translate')]).toEqual(['1', '40px']);
});

it('a page has settled when nothing moves that a script moves', async () => {
  await show(
    '#text { position: relative }',
    `let frames = 0;
     const move = () => {
       document.querySelector('#text').style.left = ++frames + 'px';
       if (frames < 60) requestAnimationFrame(move);
     };`,
  );
  expect(await page.evaluate("move(); document.querySelector('#text').style.left")).not.toBe('60px');
  await settle(page);
  expect(await styleOf('left')).toBe('60px');
});

it('a page has settled when its fonts are there', async () => {
  const font = readFileSync('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  const arrives = Promise.withResolvers<void>();
  await page.route('**/late.woff2', async (route) => {
    await arrives.promise;
    await route.fulfill({ contentType: 'font/woff2', body: font });
  });
  await show(`@font-face { font-family: Late; src: url(/late.woff2) } #text { font-family: Late, serif }`);
  let hasSettled = false;
  const settling = settle(page).then(() => {
    hasSettled = true;
  });
  await sleep(500);
  expect(hasSettled).toBe(false);
  arrives.resolve();
  await settling;
  expect(await page.evaluate(`[...document.fonts].map(({ status }) => status)`)).toEqual(['loaded']);
});

it('a page has settled when it has the colours that were asked for', async () => {
  await show(
    `#text { color: rgb(0, 0, 0); transition: color 60s }
     [data-mantine-color-scheme=dark] #text { color: rgb(255, 255, 255) }`,
    `matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) =>
       setTimeout(() => {
         document.documentElement.dataset.mantineColorScheme = matches ? 'dark' : 'light';
       }, 300));`,
  );
  await settle(page, 'dark');
  expect(await styleOf('color')).toBe('rgb(255, 255, 255)');
  expect(await styleOf('transition-duration')).toBe('60s');
  await settle(page, 'light');
  expect(await styleOf('color')).toBe('rgb(0, 0, 0)');
});
