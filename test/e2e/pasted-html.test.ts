// Tests of: templates
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { cleanHtml } from '#features/templates/rules/html/clean.ts';
import { sharedBrowser } from '#test/support/browser.ts';

// What cleaned HTML does in a real browser that would let it do everything: scripts on, no policy,
// no sandbox. The product shows it more carefully still.

const file = new URL('../fixtures/templates/xss-vectors.json', import.meta.url);
const { groups } = JSON.parse(readFileSync(file, 'utf8')) as { groups: { vectors: string[] }[] };
const vectors = groups.flatMap(({ vectors }) => vectors);

let context: Awaited<ReturnType<Awaited<ReturnType<typeof sharedBrowser>>['newContext']>>;

beforeAll(async () => {
  context = await (await sharedBrowser()).newContext();
  context.setDefaultTimeout(45_000);
  // In every frame, before anything in it runs.
  await context.addInitScript(
    'globalThis.alert = globalThis.msgbox = () => { top.ran = (top.ran ?? 0) + 1; };',
  );
});
afterAll(() => context.close());

/** Run in the page. What is pressed or hovered over runs too. */
const showEach = `async (documents) => {
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  for (const html of documents) {
    const frame = document.createElement('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.srcdoc = html;
    document.body.append(frame);
    await Promise.race([loaded, pause(500)]);
    for (const element of [...(frame.contentDocument?.querySelectorAll('*') ?? [])].slice(0, 20)) {
      const mayPress = element.tagName !== 'A' || /script/i.test(element.getAttribute('href') ?? '');
      for (const type of ['mouseover', 'focus', 'error', 'load', 'toggle', 'animationstart'].concat(mayPress ? 'click' : []))
        element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    }
  }
  await pause(500);
  return globalThis.ran ?? 0;
}`;

/** Shows each document in a frame of its own, and says how much ran and what was fetched. */
async function shown(documents: readonly string[]): Promise<{ ran: number; fetched: string[] }> {
  const page = await context.newPage();
  const fetched: string[] = [];
  await page.route('**', (route) => {
    const request = route.request();
    if (request.url() === 'http://mail.example/')
      return route.fulfill({ contentType: 'text/html', body: '' });
    fetched.push(request.resourceType());
    return route.abort();
  });
  await page.goto('http://mail.example/');
  const ran = await page.evaluate<number>(`(${showEach})(${JSON.stringify(documents)})`);
  await page.close();
  return { ran, fetched };
}

it('what is pasted would run in a browser as it is', async () => {
  const { ran, fetched } = await shown(vectors);
  expect(ran).toBeGreaterThan(80);
  expect(fetched).toEqual(expect.arrayContaining(['script', 'stylesheet', 'image']));
});

it('nothing of it runs once it is clean, and only pictures and fonts are fetched', async () => {
  const { ran, fetched } = await shown(vectors.map((vector) => cleanHtml(vector).html));
  expect(ran).toBe(0);
  expect(fetched.filter((type) => type !== 'image' && type !== 'font')).toEqual([]);
});

it('nothing of it runs in the mail of a contact whose every value is hostile', async () => {
  const value = '"\'><img src=x onerror=alert(1)><a href="javascript:alert(1)">';
  const values = new Proxy(
    {},
    { getOwnPropertyDescriptor: () => ({ value, configurable: true }), get: () => value },
  );
  const mails = vectors
    .map((vector) => compileTemplate({ subject: '', preheader: '', html: cleanHtml(vector).html, text: '' }))
    .filter(({ problems }) => problems.length === 0)
    .map((template) => fill(template, values).html);
  expect(mails.length).toBeGreaterThan(vectors.length * 0.9);
  const { ran, fetched } = await shown(mails);
  expect(ran).toBe(0);
  expect(fetched.filter((type) => type !== 'image' && type !== 'font')).toEqual([]);
});
