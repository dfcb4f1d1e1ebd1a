import { listFields } from '#features/audience/server/index.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import type { TemplateField } from '../../contract/fields.ts';
import type { listTemplateFields as endpoint } from '../../contract.ts';
import { contactFields, fieldNameOf, placeholderFields, senderFields } from '../../rules/known-fields.ts';
import { countExtraFields, countOwnFields, type OwnCounts } from './field-queries.ts';
import { selectTags } from './tag-queries.ts';

/** Up to here all contacts are counted. Above it a sample answers as fast at any size. */
const mostCounted = 20_000;

/** The merge fields and the tags of a workspace, and how many contacts have a value. */
export async function listTemplateFields(
  tx: TenantTx,
  workspaceId: number,
): Promise<ResponseOf<typeof endpoint>> {
  const { total } = await selectCounts(tx, workspaceId);
  const sampleOf = total > mostCounted ? total : null;
  const own = await countOwnFields(tx, workspaceId, sampleOf);
  const extra = await countExtraFields(tx, workspaceId, sampleOf);
  const { items } = await listFields(tx, workspaceId);
  const scaled = (count: number): number =>
    sampleOf === null ? count : own.all === 0 ? 0 : Math.round((count / own.all) * total);
  return {
    items: [
      ...contactFields.map((name) => entry(name, 'contact', scaled(countOf(name, own)))),
      ...extraFields(items, new Map(extra.map(({ name, contacts }) => [name, scaled(contacts)]))),
      ...senderFields.map((name) => entry(name, 'sender', null)),
      ...placeholderFields.map((name) => entry(name, 'message', null)),
    ],
    tags: await selectTags(tx, workspaceId),
    contacts: sampleOf === null ? own.all : total,
    isEstimate: sampleOf !== null,
  };
}

function countOf(name: (typeof contactFields)[number], own: OwnCounts): number {
  const { firstName, lastName, all } = own;
  const counts = { ...own, first_name: firstName, last_name: lastName, email: all, domain: all };
  return counts[name];
}

const labels: Record<string, string> = {
  email: 'Email address',
  unsubscribe_link: 'Unsubscribe link',
  preferences_link: 'Link to preferences',
  view_in_browser_link: 'Link to view in a browser',
  now: 'Now',
  cta_link: 'Link of the button',
  cta_text: 'Words of the button',
};

function entry(name: string, kind: TemplateField['kind'], contacts: number | null): TemplateField {
  const words = name.replaceAll('_', ' ');
  return { name, label: labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1), kind, contacts };
}

/**
 * Extra fields as templates call them. Two that read alike are one, and one that is called like
 * another field is had by its own name.
 */
function extraFields(names: readonly string[], counts: ReadonlyMap<string, number>): TemplateField[] {
  const taken = new Set<string>([...contactFields, ...senderFields, ...placeholderFields]);
  const found = new Map<string, TemplateField>();
  for (const label of new Set([...names, ...counts.keys()])) {
    const short = fieldNameOf(label);
    if (short === '') continue;
    const name = taken.has(short) ? `attributes[${JSON.stringify(label)}]` : short;
    const contacts = Math.max(counts.get(label) ?? 0, found.get(name)?.contacts ?? 0);
    found.set(name, { name, label: found.get(name)?.label ?? label, kind: 'extra', contacts });
  }
  return [...found.values()].sort((one, other) => one.label.localeCompare(other.label, 'en-GB'));
}
