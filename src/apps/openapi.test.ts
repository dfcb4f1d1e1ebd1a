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

it('shows what a cursor looks like, on each list that takes one', () => {
  const { paths } = JSON.parse(apiDocumentText());
  const walked = Object.keys(paths).filter((path) =>
    paths[path].get?.parameters?.some(({ name }: { name: string }) => name === 'cursor'),
  );
  expect(walked).toEqual([
    '/api/audit',
    '/api/emails',
    '/api/imports',
    '/api/suppressions/domains',
    '/api/suppressions/emails',
    '/api/suppressions/imports',
    '/api/tasks',
  ]);
  for (const path of walked) {
    const { parameters, responses } = paths[path].get;
    const cursor = parameters.find(({ name }: { name: string }) => name === 'cursor');
    const { nextCursor } = responses[200].content['application/json'].schema.properties;
    expect(cursor.schema.examples[0]).toMatch(/^[\w-]+$/);
    expect(nextCursor.examples).toEqual(cursor.schema.examples);
  }
});
