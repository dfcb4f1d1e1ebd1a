import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openFileStore } from '#platform/server/files.ts';
import { formOf, openTestApp, type TestApp } from '#test/support/app.ts';
import { picture } from '#test/support/pictures.ts';
import { openS3Server } from '#test/support/s3-server.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import type { Image } from '../contract.ts';
import { removeOfGone } from './forget-images.ts';
import { imagesOnDisk } from './image-files.ts';
import { imagesInS3 } from './images-in-s3.ts';

let store: Awaited<ReturnType<typeof openS3Server>>;
let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  store = await openS3Server('pictures', 'the-key');
  test = await openTestApp(store.environment);
});
beforeEach(async () => {
  owner = await signUp(test.app);
  store.objects.clear();
  Object.assign(store.state, { isDown: false, pageSize: 1000 });
});
afterAll(async () => {
  await test?.close();
  await store?.close();
});

async function upload(bytes: Uint8Array) {
  const { payload, headers } = formOf([['file', bytes, 'logo.png']]);
  const url = '/api/images';
  return test.app.inject({ method: 'POST', url, headers: { ...headers, cookie: owner.cookie }, payload });
}
const uploaded = async (): Promise<Image> => {
  const answer = await upload(await picture());
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
};
const keyOf = ({ url }: Image) => new URL(url).pathname.replace(/^\/i\/(\d+)-/, 'images/$1/');
const show = ({ url }: Image) => test.app.inject({ url: new URL(url).pathname });
const placeOf = (key: string) => join(test.dataDir, 'files', key);
const folder = () => `images/${owner.workspaceId}`;
const onDisk = () => readdir(placeOf(folder())).catch(() => []);
const old = new Date(Date.now() - 2 * 3_600_000);

it('keeps images in the store and none on the disk, and serves them as ever', async () => {
  const image = await uploaded();
  const object = store.objects.get(keyOf(image));
  expect(object?.type).toBe('image/png');
  expect(await onDisk()).toEqual([]);
  const answer = await show(image);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(object?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(object?.bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await test.app.inject({ url: '/i/1-AAAAAAAAAAAAAAAAAAAAAA.png' })).statusCode).toBe(404);
});

it('still shows those that were kept on the disk before', async () => {
  const image = await uploaded();
  const key = keyOf(image);
  const bytes = store.objects.get(key)?.bytes ?? Buffer.alloc(0);
  store.objects.delete(key);
  expect((await show(image)).statusCode).toBe(404);
  await mkdir(placeOf(folder()), { recursive: true });
  await writeFile(placeOf(key), bytes);
  expect((await show(image)).rawPayload.equals(bytes)).toBe(true);
});

it('stores nothing while the store cannot be reached, and says so', { timeout: 60_000 }, async () => {
  const image = await uploaded();
  store.state.isDown = true;
  const refused = await upload(await picture());
  expect(refused.statusCode).toBe(503);
  expect(refused.json().message).toContain('store of the images cannot be reached');
  expect((await show(image)).statusCode).toBe(503);
  store.state.isDown = false;
  expect((await show(image)).statusCode).toBe(200);
  const { totalCount } = (
    await test.app.inject({ url: '/api/images', headers: { cookie: owner.cookie } })
  ).json();
  expect(totalCount).toBe(1);
});

it('removes what no row names and what was of a workspace that is gone, page by page', async () => {
  store.state.pageSize = 2;
  const images = [await uploaded(), await uploaded(), await uploaded()];
  const named = (folderName: string, letter: string) => `${folderName}/${letter.repeat(22)}.png`;
  const young = named(folder(), 'B');
  const gone = ['C', 'D', 'E'].map((letter) => named('images/987654', letter));
  for (const key of [named(folder(), 'A'), young, ...gone])
    store.objects.set(key, {
      bytes: Buffer.from('x'),
      type: 'image/png',
      at: key === young ? new Date() : old,
    });
  for (const image of images) Object.assign(store.objects.get(keyOf(image)) ?? {}, { at: old });
  await test.nightly();
  const kept = () => [...store.objects.keys()].toSorted();
  expect(kept()).toEqual([...images.map(keyOf), young, ...gone].toSorted());
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId } = store.environment;
  const settings = { endpoint, bucket, accessKeyId, region: 'eu-west-2', secretAccessKey: 'x' };
  const both = imagesInS3(settings, imagesOnDisk(openFileStore(join(test.dataDir, 'files'))));
  await removeOfGone({ kept: both }, async () => [owner.workspaceId]);
  expect(kept()).toEqual([...images.map(keyOf), young].toSorted());
});
