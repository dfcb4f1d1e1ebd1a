import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { features } from './features.ts';
import { apiDocumentFile, apiDocumentText } from './openapi.ts';

it('describes the contract of every feature', () => {
  const folders = globSync('src/features/*/contract.ts').map((file) => file.split('/').at(-2));
  expect(folders.length).toBeGreaterThan(5);
  const described = features.filter(({ contract }) => contract).map(({ name }) => name);
  expect(described.toSorted()).toEqual(folders.toSorted());
});

it('is the one kept in docs/openapi.json; when it is not, run: npm run openapi', () => {
  expect(existsSync(apiDocumentFile)).toBe(true);
  expect(readFileSync(apiDocumentFile, 'utf8') === apiDocumentText()).toBe(true);
});

it('refers only to what stands in it, and to each named schema somewhere', () => {
  const document = JSON.parse(apiDocumentText());
  const asked = new Set<string>();
  JSON.stringify(document, (key, value) => {
    if (key === '$ref') asked.add(value);
    return value;
  });
  const { schemas, responses } = document.components;
  const named = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
  const there = [...named, ...Object.keys(responses).map((name) => `#/components/responses/${name}`)];
  expect([...asked].filter((ref) => !there.includes(ref))).toEqual([]);
  expect(named.filter((ref) => !asked.has(ref))).toEqual([]);
});

it('shows what a cursor looks like, on each list that takes one', () => {
  const { paths } = JSON.parse(apiDocumentText());
  const walked = Object.keys(paths).filter((path) =>
    paths[path].get?.parameters?.some(({ name }: { name: string }) => name === 'cursor'),
  );
  const known = [
    '/api/audit',
    '/api/emails',
    '/api/imports',
    '/api/suppressions/domains',
    '/api/suppressions/emails',
    '/api/suppressions/imports',
    '/api/tasks',
  ];
  expect(walked).toEqual(expect.arrayContaining(known));
  for (const path of walked) {
    const { parameters, responses } = paths[path].get;
    const cursor = parameters.find(({ name }: { name: string }) => name === 'cursor');
    const { nextCursor } = responses[200].content['application/json'].schema.properties;
    expect(cursor.schema.examples[0]).toMatch(/^[\w-]+$/);
    expect(nextCursor.examples).toEqual(cursor.schema.examples);
  }
});
