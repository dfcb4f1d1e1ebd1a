// Tests of: images
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { formOf } from '#test/support/app.ts';
import { noisePicture } from '#test/support/pictures.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// Kills the whole product in the middle of uploads. Every image that is listed can be seen, and
// every one that was answered is listed.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let dataDir: string;
let product: Product;
let cookie: string;

beforeAll(async () => {
  dataDir = makeDataDir();
  product = await startProduct(dataDir);
  ({ cookie } = await signUpAt(product.url));
});
afterAll(async () => {
  await product.stop();
  removeDataDir(dataDir);
});

interface Listed {
  name: string;
  url: string;
  bytes: number;
}

/** Files of images and of uploads that are on their way. */
const filesThere = (): string[] => {
  const folder = join(dataDir, 'files', 'images');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
};

it.each([0, 200, 600])(
  'uploads that are killed %i ms after the first byte was stored leave no image without its file',
  async (wait) => {
    const before = filesThere().length;
    const forms = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (index) => {
        const photo = await noisePicture({ width: 700, height: 500 });
        return {
          name: `${wait}-${index}`,
          ...formOf([
            ['name', `${wait}-${index}`],
            ['file', photo, 'photo.jpg'],
          ]),
        };
      }),
    );
    const answered: string[] = [];
    const uploads = forms.map(async ({ name, headers, payload }) => {
      const sent = { method: 'POST', headers: { ...headers, cookie }, body: payload };
      const answer = await fetch(`${product.url}/api/images`, sent).catch(() => undefined);
      if (answer?.status === 201) answered.push(name);
    });
    await vi.waitFor(() => expect(filesThere().length).toBeGreaterThan(before), {
      timeout: 60_000,
      interval: 5,
    });
    await sleep(wait);
    product.child.kill('SIGKILL');
    await Promise.all(uploads);
    product = await startProduct(dataDir);
    const list = await fetch(`${product.url}/api/images?limit=100`, { headers: { cookie } });
    const { items } = (await list.json()) as { items: Listed[] };
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(answered));
    for (const { url, bytes } of items) {
      const image = await fetch(`${product.url}${new URL(url).pathname}`);
      expect(image.status).toBe(200);
      const content = Buffer.from(await image.arrayBuffer());
      // All of it, to the marker that ends a JPEG.
      expect([content.length, content.subarray(-2).toString('hex')]).toEqual([bytes, 'ffd9']);
    }
  },
);
