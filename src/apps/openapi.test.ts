import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiDocumentFile, apiDocumentText } from './openapi.ts';

it('describes the contract of every feature', () => {
  const features = globSync('src/features/*/contract.ts').map((file) => file.split('/').at(-2));
  expect(features.length).toBeGreaterThan(5);
  const source = readFileSync(new URL('./openapi.ts', import.meta.url), 'utf8');
  for (const feature of features) expect(source).toContain(`'#features/${feature}/contract.ts'`);
});

it('is the one kept in docs/openapi.json; when it is not, run: npm run openapi', () => {
  expect(existsSync(apiDocumentFile)).toBe(true);
  expect(readFileSync(apiDocumentFile, 'utf8') === apiDocumentText()).toBe(true);
});
