import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileStore, openFileStore } from '#platform/server/files.ts';
import { removeImportFile, removeImportFiles } from './remove-file.ts';

let folder: string;
let files: FileStore;
let listed: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
  const store = openFileStore(folder);
  listed = [];
  files = {
    ...store,
    list(name) {
      listed.push(name);
      return store.list(name);
    },
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

async function put(...keys: string[]): Promise<void> {
  for (const key of keys) writeFileSync(await files.pathFor(key), 'x');
}
const isThere = (key: string) => existsSync(join(folder, key));

it('removes a file with what stands beside it, and no other', async () => {
  const gone = ['imports/3/12.csv', 'imports/3/12.csv.rows', 'imports/3/12.csv.rows.part'];
  const kept = ['imports/3/1.csv', 'imports/3/120.csv', 'imports/3/112.csv.rows', 'imports/33/12.csv.rows'];
  await put(...gone, ...kept);
  await removeImportFile(files, 'imports/3/12.csv');
  expect(gone.filter(isThere)).toEqual([]);
  expect(kept.filter(isThere)).toEqual(kept);
});

it('removes what stands beside a file that is gone already', async () => {
  await put('imports/3/12.csv.rows');
  await removeImportFile(files, 'imports/3/12.csv');
  expect(isThere('imports/3/12.csv.rows')).toBe(false);
  await removeImportFile(files, 'imports/4/1.csv');
});

it('lists each folder once, however many files of it are removed', async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `imports/3/${n}.csv`);
  const receipts = Array.from({ length: 50 }, (_, n) => `receipts/3/${n}-a.csv`);
  await put(...keys, ...receipts, 'imports/3/7.csv.rows', 'imports/3/200.csv');
  await removeImportFiles(files, [...keys, ...receipts]);
  expect([...keys, ...receipts, 'imports/3/7.csv.rows'].filter(isThere)).toEqual([]);
  expect(isThere('imports/3/200.csv')).toBe(true);
  expect(listed).toEqual(['imports/3', 'receipts/3']);
});
