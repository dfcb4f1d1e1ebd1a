import { createTemplate, listTemplates } from '#features/templates/contract.ts';
import { presets } from '#features/templates/rules/presets/index.ts';
import type { Client } from './client.ts';

/** What the firm calls the templates it began with, by the name of their preset. */
const ours = [
  { preset: 'newsletter-basic', name: 'Monthly letter from the workshop' },
  { preset: 'welcome-series', name: 'Welcome to Harbour & Pine' },
  { preset: 'promotional-sale', name: 'Spring price list' },
] as const;

/** Makes the templates that are not there yet. Returns whether there were any. */
export async function makeTemplates(client: Client): Promise<boolean> {
  const { items } = await client.call(listTemplates, { query: { content: 'false', limit: 100 } });
  const known = new Set(items.map(({ name }) => name));
  const missing = ours.filter(({ name }) => !known.has(name));
  for (const { preset, name } of missing) {
    const found = presets.find(({ id }) => id === preset);
    if (!found) throw new Error(`There is no preset ${preset}.`);
    const { category, description, htmlContent } = found;
    await client.call(createTemplate, { body: { name, category, description, htmlContent } });
  }
  return missing.length > 0;
}
