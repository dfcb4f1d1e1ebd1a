import { listFields } from '#features/audience/server/index.ts';
import { readMailable } from '#features/basis/server/index.ts';
import type { MergeField, TemplateLink } from '#features/templates/rules/compile.ts';
import { fieldNameOf, senderFields } from '#features/templates/rules/known-fields.ts';
import { isTagField } from '#features/templates/rules/tag-fields.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { CampaignAudience, CampaignCheck } from '../../contract.ts';
import { audienceTree } from '../audience/audience-tree.ts';
import type { CampaignsContext } from '../context.ts';
import { countEmpty, type FieldPlace } from './empty-field-queries.ts';

type Check = CampaignCheck['checks'][number];

/** Above this a share of the contacts stands for all. */
const mostRead = 1_000_000;
/** How many contacts stand for all. */
const sampled = 100_000;
/** Fields that are counted and named. */
const mostFields = 20;
const mostNamed = 3;

/**
 * How many recipients have no value for the fields that fill the message, and what they read. Links
 * that lead some of them nowhere have a line of their own, before.
 */
export async function emptyFieldsChecks(
  { audience }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  asked: {
    audience: CampaignAudience;
    recipients: number;
    fields: readonly MergeField[];
    links: readonly TemplateLink[];
  },
): Promise<Check[]> {
  const about = { key: 'empty_fields', title: 'Values of merge fields' } as const;
  const { items } = await listFields(tx, workspaceId);
  const used = usedFields(asked.fields, items, addressesAmong(asked.links)).slice(0, mostFields);
  if (used.length === 0 || asked.recipients === 0)
    return [{ ...about, result: 'pass', words: 'No field of contacts is used.', fix: null }];
  const tree = await audienceTree({ audience }, tx, workspaceId, asked.audience);
  const isSampled = asked.recipients > mostRead;
  const counted = await countEmpty(tx, workspaceId, {
    matching: await audience.conditionForCopy(tx, workspaceId, tree),
    mailable: await readMailable(tx, workspaceId),
    places: used.map(({ place }) => place),
    share: isSampled ? sampled / asked.recipients : null,
  });
  const scale = isSampled && counted.people > 0 ? asked.recipients / counted.people : 1;
  const empty = used
    .map((field, place) => ({ ...field, people: Math.round((counted.empty[place] ?? 0) * scale) }))
    .filter(({ people }) => people > 0)
    .sort((one, other) => other.people - one.people);
  const isNowhere = ({ isAddress, fallback }: UsedField) => isAddress && !fallback;
  const nowhere = empty.filter(isNowhere);
  const others = empty.filter((field) => !isNowhere(field));
  return [
    ...(nowhere.length > 0 ? [linksInWords(nowhere, asked.recipients, isSampled)] : []),
    inWords(about, others, isSampled, nowhere.length > 0),
  ];
}

type EmptyField = UsedField & { people: number };

const many = ({ people }: EmptyField, isSampled: boolean) =>
  `${isSampled ? 'about ' : ''}${formatNumber(people)}`;
const more = (fields: readonly EmptyField[]) =>
  fields.length > mostNamed ? ` And ${fields.length - mostNamed} more.` : '';

/** What is sent cannot be mended, and nobody gets there. */
function linksInWords(nowhere: readonly EmptyField[], recipients: number, isSampled: boolean): Check {
  const named = nowhere.slice(0, mostNamed).map((field) => {
    const whom = !isSampled && field.people >= recipients ? 'everybody' : many(field, isSampled);
    return `“${field.name}” is the address of a link and empty for ${whom}, whom the link leads nowhere.`;
  });
  return {
    ...{ key: 'empty_links', title: 'Links that lead nowhere', result: 'advice' },
    words: named.join(' ') + more(nowhere),
    fix: `Fill the field, or give it a fallback, such as {{ ${nowhere[0]?.name} | default: "https://yourbusiness.co.uk" }}.`,
  };
}

function inWords(
  about: Pick<Check, 'key' | 'title'>,
  empty: readonly EmptyField[],
  isSampled: boolean,
  /** The addresses of links have been told about. */
  isRest: boolean,
): Check {
  const all = `Everybody has a value for each ${isRest ? 'other field' : 'field'}.`;
  if (empty.length === 0) return { ...about, result: 'pass', words: all, fix: null };
  // What stays empty comes first.
  const sorted = empty.toSorted(
    (one, other) => Number(Boolean(one.fallback)) - Number(Boolean(other.fallback)),
  );
  const named = sorted.slice(0, mostNamed).map((field) => {
    const { name, fallback } = field;
    const read = fallback ? `“${fallback}”` : 'nothing there';
    return `“${name}” is empty for ${many(field, isSampled)}, who read ${read}.`;
  });
  const isBare = empty.some(({ fallback }) => !fallback);
  return {
    ...{ ...about, result: isBare ? 'advice' : 'pass', words: named.join(' ') + more(sorted) },
    fix: isBare ? 'Give them a fallback, such as {{ first_name | default: "there" }}.' : null,
  };
}

interface UsedField {
  name: string;
  /** What stands there instead. A field that has none somewhere has none. */
  fallback: string | null;
  /** A link leads where it says. */
  isAddress: boolean;
  place: FieldPlace;
}

/** The fields that are the address of a link, or begin it. */
const addressesAmong = (links: readonly TemplateLink[]): Set<string> =>
  new Set(links.flatMap(({ url }) => /^\s*\{\{-?\s*([\w.]+)/.exec(url)?.[1] ?? []));

const never = new Set<string>([...senderFields, 'subject', 'preheader', 'email', 'domain']);
const columns = ['first_name', 'last_name', 'name', 'source', 'date'] as const;

/** The fields of contacts that a message is filled with, each once. */
function usedFields(
  fields: readonly MergeField[],
  extraFields: readonly string[],
  addresses: ReadonlySet<string>,
): UsedField[] {
  const used = new Map<string, UsedField>();
  for (const { name, fallback, isKnown } of fields) {
    // A link leads nowhere also where nobody has the field any more, or its name is mistyped.
    const place = isKnown || addresses.has(name) ? placeOf(name, extraFields) : null;
    if (!place) continue;
    const before = used.get(name);
    used.set(name, {
      ...{ name, place, isAddress: addresses.has(name) },
      fallback: before && !before.fallback ? null : fallback,
    });
  }
  return [...used.values()];
}

function placeOf(name: string, extraFields: readonly string[]): FieldPlace | null {
  if (never.has(name) || name === 'attributes' || isTagField(name)) return null;
  if (name.startsWith('attributes.')) return { column: null, extra: [name.slice('attributes.'.length)] };
  const column = columns.find((one) => one === name) ?? null;
  const isOwn = column !== null && column !== 'source' && column !== 'date';
  // An extra field never hides one that all contacts have.
  return { column, extra: isOwn ? [] : extraFields.filter((one) => fieldNameOf(one) === name) };
}
