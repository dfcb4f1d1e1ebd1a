import type { ContactFilter } from '#features/audience/contract.ts';
import { addToList, createList, getLists } from '#features/lists/contract.ts';
import type { SegmentRules } from '#features/segments/contract.ts';
import { createTag, getTags, tagColors, tagContacts } from '#features/tags/contract.ts';
import type { Client } from './client.ts';

/** Lists and tags with the contacts that match a filter, and lists that fill themselves. */

interface Group {
  name: string;
  filter: ContactFilter;
}

const lists: (Group & { description: string })[] = [
  {
    name: 'Trade customers',
    description: 'Everybody with an account at the trade counter',
    filter: { source: 'trade counter' },
  },
  {
    name: 'Newsletter',
    description: 'Signed up with the form on the website',
    filter: { source: 'newsletter form' },
  },
  {
    name: 'Trade show 2026',
    description: 'Met at stand B14. Write to them before the spring price list is out.',
    filter: { source: 'stand B14' },
  },
];

const segments: { name: string; description: string; segmentRules: SegmentRules }[] = [
  {
    name: 'UK companies from the website',
    description: 'Can be mailed, and asked for it themselves',
    segmentRules: {
      conditions: [
        { field: 'status', operator: 'equals', value: 'active' },
        { field: 'kind', operator: 'equals', value: 'corporate' },
        { field: 'source', operator: 'contains', value: 'website' },
      ],
    },
  },
];

const tags: Group[] = [
  { name: 'Supplier', filter: { source: 'supplier' } },
  { name: 'Seminar', filter: { source: 'seminar' } },
  { name: 'Prize draw', filter: { source: 'prize draw' } },
];

/** Makes the lists and tags that are not there yet. Returns whether there were any. */
export async function makeGroups(client: Client): Promise<boolean> {
  const [someLists, someTags] = [await makeLists(client), await makeTags(client)];
  return someLists || someTags;
}

async function makeLists(client: Client): Promise<boolean> {
  const known = new Set((await client.call(getLists)).map(({ name }) => name));
  const missing = lists.filter(({ name }) => !known.has(name));
  for (const { filter, ...body } of missing) {
    const { id } = await client.call(createList, { body });
    await client.call(addToList, { body: { filter } }, `/api/lists/${id}/contacts`);
  }
  const unmade = segments.filter(({ name }) => !known.has(name));
  for (const body of unmade) await client.call(createList, { body: { ...body, isDynamic: true } });
  return missing.length + unmade.length > 0;
}

async function makeTags(client: Client): Promise<boolean> {
  const known = new Set((await client.call(getTags)).map(({ name }) => name));
  const missing = tags.filter(({ name }) => !known.has(name));
  for (const { name, filter } of missing) {
    const color = tagColors[tags.findIndex((tag) => tag.name === name)];
    const { id } = await client.call(createTag, { body: { name, ...(color && { color }) } });
    await client.call(tagContacts, { body: { filter } }, `/api/tags/${id}/contacts`);
  }
  return missing.length > 0;
}
