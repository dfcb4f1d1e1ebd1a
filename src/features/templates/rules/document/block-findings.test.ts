import { expect, it } from 'vitest';
import { knownFields } from '../known-fields.ts';
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

it('tells of links that no mail program can open, in settings and in words', () => {
  const words = '<p><a href="acme.co.uk/{{ first_name }}">Shop</a> <a href="https://a.uk">Fine</a></p>';
  expect(
    found(
      { id: 'b', type: 'button', label: 'Order', href: 'www.acme.co.uk' },
      { id: 't', type: 'text', html: words },
      { id: 'm', type: 'menu', links: [{ label: 'Sale', href: '/sale' }] },
    ).map(([block, said]) => [block, said]),
  ).toEqual([
    ['b', '“www.acme.co.uk” leads nowhere: begin it with https://.'],
    ['t', '“acme.co.uk/…” leads nowhere: begin it with https://.'],
    ['m', '“/sale” leads nowhere: write the whole address, beginning with https://, mailto: or tel:.'],
  ]);
});

it('names the piece of Liquid that is wrong, as it is written', () => {
  const block = (id: string, html: string) => ({ id, type: 'text', html });
  const blocks = [
    block('a', '<p>Dear {{ first_name }},\nin {{ town | shout }}</p>'),
    block('b', '<p>{{ first_name }}\n\n {{ town }}{{ frist_name | default: "you" }}</p>'),
  ];
  const document = templateDocument.parse({ version: 1, blocks });
  const findings = blockFindings(document, ['first_name', 'town']);
  expect(findings.map(({ liquid, isProblem }) => [liquid, isProblem])).toEqual([
    ['{{ town | shout }}', true],
    ['{{ frist_name | default: "you" }}', false],
  ]);
});

it('tells what is wrong in the preheader', () => {
  const findingsOf = (preheader: string) =>
    blockFindings(templateDocument.parse({ version: 1, preheader, blocks: [] }), ['first_name']);
  expect(findingsOf('News for {{ first_name | default: "you" }}')).toEqual([]);
  expect(findingsOf('News for {{ frist_name }}')).toEqual([
    {
      words: 'In the preheader: No contact has the field “frist_name”. Did you mean “first_name”?',
      block: null,
      liquid: '{{ frist_name }}',
      isProblem: false,
    },
  ]);
  expect(findingsOf('{% if first_name %}News')).toEqual([
    {
      words: expect.stringMatching(/^In the preheader: /),
      block: null,
      liquid: '{% if first_name %}',
      isProblem: true,
    },
  ]);
});

it('tells of conditions that nobody can fulfil, and of footers that leave some without a way out', () => {
  const divider = (id: string, showWhen: object) => ({ id, type: 'divider', showWhen });
  const footer = (id: string, operator: string) => ({
    ...{ id, type: 'footer', showWhen: { field: 'first_name', operator } },
  });
  const inside = { columns: [[divider('e', { field: 'first_name', operator: 'equals' })]] };
  expect(
    found(
      divider('a', { field: 'frist_name', operator: 'is_empty' }),
      divider('b', { field: 'first_name', operator: 'less', value: 'many' }),
      { id: 'c', type: 'columns', ...inside, showWhen: { field: 'town', operator: 'is_empty' } },
      { id: 'm', type: 'menu', links: [{ label: 'Shop', href: '' }] },
      footer('f', 'is_empty'),
    ),
  ).toEqual([
    ['m', '“Shop” in the menu leads nowhere: give it a link.', false],
    ['c', 'No contact has the field “town”.', false],
    ['a', 'No contact has the field “frist_name”. Did you mean “first_name”?', false],
    ['b', '“many” is no number to compare a field with.', false],
    ['e', 'It is not said with what the field is compared to show this block.', false],
    ['f', 'Only some contacts see this footer. The others need one too, to unsubscribe.', false],
  ]);
  expect(found(footer('f', 'is_empty'), footer('g', 'is_not_empty'))).toEqual([]);
});

it('tells of tags that are not there any more, and of footers for some tags alone', () => {
  const asks = (id: string, type: string, tag: number, operator = 'has_tag') => ({
    ...{ id, type, showWhen: { tag, operator } },
  });
  const found = blockFindings(
    templateDocument.parse({
      version: 1,
      blocks: [
        asks('a', 'divider', 12),
        asks('b', 'divider', 13),
        asks('c', 'divider', 13, 'lacks_tag'),
        asks('d', 'footer', 12),
      ],
    }),
    knownFields([], [12]),
  );
  const deleted = 'A block asks for a tag that is not there any more, so nobody sees it. Choose another tag.';
  expect(found.map(({ block, words }) => [block, words])).toEqual([
    ['b', deleted],
    ['c', deleted],
    ['d', 'Only some contacts see this footer. The others need one too, to unsubscribe.'],
  ]);
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

it('tells of footers that only some screens show, unless the others have one', () => {
  const on = (id: string, showOn: string) => ({ id, type: 'footer', showOn });
  expect(found(on('p', 'phone'))).toEqual([
    ['p', 'Only some screens show this footer. The others need one too, to unsubscribe.', false],
  ]);
  expect(found(on('p', 'phone'), on('d', 'desktop'))).toEqual([]);
  expect(found(on('p', 'phone'), { id: 'f', type: 'footer' })).toEqual([]);
});
