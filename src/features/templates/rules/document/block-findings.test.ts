import { expect, it } from 'vitest';
import { blockFindings } from './block-findings.ts';
import { templateDocument } from './schema.ts';

const found = (...blocks: object[]) =>
  blockFindings(templateDocument.parse({ version: 1, blocks }), ['first_name']).map(
    ({ words, block, isProblem }) => [block, words, isProblem],
  );

it('tells of links that lead nowhere, also in columns', () => {
  const button = { id: 'b', type: 'button', label: 'Order', href: '' };
  const product = { id: 'p', type: 'product', name: 'Jug', label: 'Buy', href: '' };
  const social = { id: 's', type: 'social', links: [{ network: 'x', href: '' }] };
  expect(found({ id: 'c', type: 'columns', columns: [[button], [product]] }, social)).toEqual([
    ['b', 'The button “Order” leads nowhere: give it a link.', false],
    ['p', '“Jug” leads nowhere: give it a link.', false],
    ['s', 'A link to a network leads nowhere: give it an address, or take it away.', false],
  ]);
  const { label: _, ...plain } = product;
  expect(found({ ...button, href: '{{ shop_link }}' }, plain)).not.toContainEqual(
    expect.arrayContaining([expect.stringContaining('leads nowhere')]),
  );
});

it('tells of fields in the block that has them', () => {
  const text = (id: string, html: string) => ({ id, type: 'text', html });
  expect(
    found(text('a', '<p>{{ first_name }}</p>'), text('z', '{{ frist_name }}'), text('q', '{% if %}')),
  ).toEqual([
    ['z', 'No contact has the field “frist_name”. Did you mean “first_name”?', false],
    ['q', expect.any(String), true],
  ]);
});
