import { createTemplate, listTemplates } from '#features/templates/contract.ts';
import { presets } from '#features/templates/rules/presets/index.ts';
import type { Client } from './client.ts';

/** What the firm calls the templates that it began from a preset. */
const fromPresets = [
  { preset: 'welcome-series', name: 'Welcome to Harbour & Pine' },
  { preset: 'promotional-sale', name: 'Spring price list' },
] as const;

const unsubscribe = 'You get this because you asked for our monthly letter.';

/** A letter in blocks, with two columns. */
const letter = {
  version: 1 as const,
  title: 'The November letter from the workshop',
  look: {
    background: '#eef2f4',
    text: '#1b2327',
    link: '#0c5870',
    button: '#0c5870',
    font: 'Georgia' as const,
  },
  blocks: [
    {
      id: 'name',
      type: 'heading' as const,
      level: 2 as const,
      align: 'center' as const,
      html: 'Harbour &amp; Pine',
    },
    { id: 'line', type: 'divider' as const },
    {
      id: 'title',
      type: 'heading' as const,
      level: 1 as const,
      html: 'Oak, elm and a blue that took all summer',
    },
    {
      id: 'hello',
      type: 'text' as const,
      html:
        '<p>Hello {{ first_name | default: "there" }},</p><p>the workshop smells of linseed again: the winter ' +
        'boards are drying, and the Staithes jugs came out of the kiln in the deeper blue we promised. ' +
        'Both are in the shop from Friday.</p>',
    },
    {
      id: 'pair',
      type: 'columns' as const,
      columns: [
        [
          { id: 'bowl', type: 'heading' as const, level: 3 as const, html: 'Whitby bowl, 24 cm' },
          { id: 'bowl-text', type: 'text' as const, html: '<p>Salt glaze, in sets of two. £36.80</p>' },
        ],
        [
          { id: 'jug', type: 'heading' as const, level: 3 as const, html: 'Staithes jug, 1.2 litre' },
          { id: 'jug-text', type: 'text' as const, html: '<p>In the new deep blue. £29.50</p>' },
        ],
      ],
    },
    {
      id: 'shop',
      type: 'button' as const,
      label: 'See the winter list',
      href: 'https://harbourandpine.co.uk/winter',
    },
    {
      id: 'footer',
      type: 'footer' as const,
      html: `<p>${unsubscribe}</p>`,
      preferences: 'Choose what we send',
    },
  ],
};

/** Makes the templates that are not there yet. Returns whether there were any. */
export async function makeTemplates(client: Client): Promise<boolean> {
  const { items } = await client.call(listTemplates, { query: { content: 'false', limit: 100 } });
  const known = new Set(items.map(({ name }) => name));
  const missing = fromPresets.filter(({ name }) => !known.has(name));
  for (const { preset, name } of missing) {
    const found = presets.find(({ id }) => id === preset);
    if (!found) throw new Error(`There is no preset ${preset}.`);
    const { category, description, document } = found;
    await client.call(createTemplate, { body: { name, category, description, document } });
  }
  const name = 'Monthly letter from the workshop';
  if (known.has(name)) return missing.length > 0;
  await client.call(createTemplate, {
    body: { name, category: 'newsletter', description: 'What is new, on the first Friday', document: letter },
  });
  return true;
}
