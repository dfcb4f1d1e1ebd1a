import type { MergeData } from './liquid/run.ts';
import { type TagAnswers, tagField, tagsField } from './tag-fields.ts';

/** What every contact has, as templates call it. */
export const contactFields = [
  'first_name',
  'last_name',
  'name',
  'email',
  'domain',
  'source',
  'date',
] as const;

/** What the sender of a message gives. */
export const senderFields = [
  'company_name',
  'company_address',
  'unsubscribe_link',
  'preferences_link',
  'view_in_browser_link',
  'now',
] as const;

/** What the presets leave open, for whoever writes the message. */
export const placeholderFields = [
  'subject',
  'main_content',
  'cta_link',
  'cta_text',
  'sale_percentage',
  'sale_title',
  'sale_description',
  'shop_link',
  'coupon_code',
  'end_date',
  'get_started_link',
] as const;

/** All fields of a workspace whose contacts have these extra fields, and that has these tags. */
export function knownFields(extraFields: Iterable<string>, tags: Iterable<number> = []): string[] {
  const names = new Set<string>([...contactFields, ...senderFields, ...placeholderFields, 'attributes']);
  for (const name of extraFields) names.add(fieldNameOf(name));
  for (const tag of tags) names.add(tagField(tag));
  return [...names].filter(Boolean);
}

const normalised = new Map<string, string>();

/** How a template calls an extra field: `Company size` is `company_size`. */
export function fieldNameOf(extraField: string): string {
  const before = normalised.get(extraField);
  if (before !== undefined) return before;
  const name = extraField
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  // Workspaces have few names, but nothing says how few.
  if (normalised.size < 10_000) normalised.set(extraField, name);
  return name;
}

export interface MergeContact {
  address: string;
  domain: string;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  source: string | null;
  date: string | null;
  attributes: Readonly<Record<string, string>>;
  /** Absent where the template asks about none. */
  tags?: TagAnswers | null;
}

/**
 * What one recipient's message is filled with. Blank values are left out, so that a fallback takes
 * their place. An extra field never hides one that all contacts have; it can still be had as
 * `attributes["First name"]`.
 */
export function mergeDataOf(contact: MergeContact, sender: MergeData): MergeData {
  const data: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(contact.attributes))
    if (value.trim() !== '') data[fieldNameOf(name)] = value;
  const own: Record<(typeof contactFields)[number], string | null> = {
    first_name: contact.firstName,
    last_name: contact.lastName,
    name: contact.name,
    email: contact.address,
    domain: contact.domain,
    source: contact.source,
    date: contact.date,
  };
  for (const [name, value] of Object.entries(own)) {
    if (value?.trim()) data[name] = value;
    else if (name !== 'date' && name !== 'source') delete data[name];
  }
  const tags = contact.tags ? { [tagsField]: contact.tags } : {};
  return { ...data, ...sender, ...tags, attributes: contact.attributes };
}
