// Tests of: images, imports
import { spawnSync } from 'node:child_process';
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formOf } from '#test/support/app.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { noisePicture } from '#test/support/pictures.ts';
import {
  beginProduct,
  makeDataDir,
  type Product,
  removeDataDir,
  startProduct,
} from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// The whole product on a real disk that is too small. The disk is in memory and belongs to the
// product's process alone, so that nothing of it stays. Only root may mount one.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Answer {
  imported?: number;
  message?: string;
  code?: string;
}

const megabyte = 1_048_576;
const mayMount =
  spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' }).status ===
  0;

/** Runs the product with a disk of this size as DATA_DIR, which only its own processes see. */
const onDisk = (megabytes: number, before = 'true') => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m,mode=711 tmpfs "$DATA_DIR" && ${before}; exec "${join('node_modules', '.bin', 'node')}" src/apps/server.ts`,
];

describe.runIf(mayMount)('a disk that is too small', () => {
  let dataDir: string;
  let product: Product | undefined;
  beforeEach(() => {
    dataDir = makeDataDir();
  });
  afterEach(async () => {
    if (product?.child.exitCode === null) await product.stop();
    product = undefined;
    removeDataDir(dataDir);
  });

  it('fills up under uploaded images, and keeps those that were answered', async () => {
    const small = 'mkdir "$DATA_DIR/files" && mount -t tmpfs -o size=1m tmpfs "$DATA_DIR/files"';
    product = await startProduct(dataDir, {}, onDisk(400, small));
    const { url, child } = product;
    const { cookie } = await signUpAt(url);
    const stored: string[] = [];
    let last = { status: 0, body: {} as Answer & { url: string } };
    for (let count = 0; count < 20 && last.status !== 507; count++) {
      const form = formOf([['file', await noisePicture({ width: 900, height: 600 }), 'photo.jpg']]);
      const sent = { method: 'POST', headers: { ...form.headers, cookie }, body: form.payload };
      const answer = await fetch(`${url}/api/images`, sent);
      last = { status: answer.status, body: (await answer.json()) as Answer & { url: string } };
      if (last.status === 201) stored.push(last.body.url);
    }
    expect(last).toMatchObject({ status: 507, body: { code: 'insufficient_storage' } });
    expect(last.body.message).toMatch(/^The disk is full\. Nothing was (stored|changed)/);
    expect(stored.length).toBeGreaterThan(0);
    for (const address of stored)
      expect((await fetch(`${url}${new URL(address).pathname}`)).status).toBe(200);
    const folder = `/proc/${child.pid}/root${dataDir}/files/images`;
    const files = readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
    expect(files).toHaveLength(stored.length);
  });

  it('fills up under an import, and is read, with every answer true', async () => {
    product = await startProduct(dataDir, {}, onDisk(300));
    const { url, child } = product;
    const { cookie } = await signUpAt(url);
    // Its own folder, as the product sees it.
    const folder = `/proc/${child.pid}/root${dataDir}`;
    // Without its reserve, the database ends when the last byte is taken.
    await vi.waitFor(
      () => expect(statSync(`${folder}/postgres.reserve`).size).toBeGreaterThanOrEqual(32 * megabyte),
      { timeout: 60_000, interval: 200 },
    );
    const read = async (path: string) => {
      const answer = await fetch(`${url}${path}`, { headers: { cookie } });
      return { status: answer.status, body: (await answer.json()) as { totalCount?: number } };
    };
    const send = async (seed: number) => {
      const form = formOf([['file', Buffer.concat([...dirtyRows({ rows: 100_000, seed })]), `${seed}.csv`]]);
      const answer = await fetch(`${url}/api/emails/import`, {
        method: 'POST',
        headers: { ...form.headers, cookie },
        body: form.payload,
      });
      return { status: answer.status, body: (await answer.json()) as Answer };
    };

    let isOver = false;
    const reads: number[] = [];
    const reading = (async () => {
      while (!isOver) {
        // 0: the product has ended, because the test has failed.
        reads.push(
          await read('/api/emails?limit=20').then(
            ({ status }) => status,
            () => 0,
          ),
        );
        await sleep(50);
      }
    })();
    let imported = 0;
    let last = { status: 0, body: {} as Answer };
    for (let seed = 1; seed < 12 && last.status !== 507; seed++) {
      last = await send(seed);
      imported += last.body.imported ?? 0;
    }
    expect(last).toMatchObject({ status: 507, body: { code: 'insufficient_storage' } });
    // The second when not even the end of the import could be written down.
    expect(last.body.message).toMatch(/The disk is full. Nothing was changed|It is tried again by itself/);
    // A fast import may take the last byte before the reserve is given away. Then the database
    // ends, and is started again.
    await vi.waitFor(
      async () => {
        expect((await read('/api/ready')).body).toEqual({ status: 'ok', disk: 'full' });
        expect((await read('/api/emails')).body.totalCount).toBe(imported);
      },
      { timeout: 60_000, interval: 200 },
    );

    expect(statfsSync(folder).blocks * statfsSync(folder).bsize).toBe(300 * megabyte);
    spawnSync('nsenter', [
      '--target',
      String(child.pid),
      '--mount',
      'mount',
      '-o',
      'remount,size=900m',
      dataDir,
    ]);
    await vi.waitFor(
      async () => expect((await read('/api/ready')).body).toEqual({ status: 'ok', disk: 'ok' }),
      60_000,
    );
    expect((await send(99)).status).toBe(200);
    isOver = true;
    await reading;
    expect(reads.length).toBeGreaterThan(20);
    expect(reads.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(reads.filter((status) => status === 200).length).toBeGreaterThan(reads.length / 2);
  });

  it('that is full at the start is named, with what to do', async () => {
    const other = `{ head -c ${80 * megabyte} /dev/zero > "$DATA_DIR/other" 2>/dev/null || true; }`;
    const starting = beginProduct(dataDir, {}, onDisk(60, other)).ready();
    const { message } = await starting.then(
      () => new Error('it started'),
      (error: Error) => error,
    );
    expect(message).toContain('the product ended (1)');
    expect(message).toContain(`The disk of ${dataDir} is full, and Email Manager needs some room to start.`);
    expect(message).toContain('Make 100 MB of room there');
    expect(message).not.toContain('ENOSPC');
  });
});
