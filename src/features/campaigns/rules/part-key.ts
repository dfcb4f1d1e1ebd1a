import { type AudiencePart, campaignOf, campaignParts } from '../contract/audience-part.ts';

/*
 * A part of an audience as one text: the value of a choice, and what the address of the screen
 * holds when a campaign begins with it. "list 3", "tag 4", "opened 5", "filter {…}".
 */

export const keyOf = (part: AudiencePart): string => {
  if ('list' in part) return `list ${part.list}`;
  if ('tag' in part) return `tag ${part.tag}`;
  if ('filter' in part) return `filter ${JSON.stringify(part.filter)}`;
  const campaign = campaignOf(part);
  return `${campaign?.did} ${campaign?.id}`;
};

const numbered: readonly string[] = ['list', 'tag', ...campaignParts];

/**
 * The part that a text means. What cannot be read becomes a filter that the server refuses: left
 * out, the campaign would go to everybody.
 */
export function partOf(key: string): AudiencePart {
  const at = key.indexOf(' ');
  const [kind, rest] = at < 0 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)];
  if (kind === 'filter') return { filter: filterIn(rest) ?? { unread: key } };
  if (numbered.includes(kind) && /^[1-9]\d{0,14}$/.test(rest))
    return { [kind]: Number(rest) } as AudiencePart;
  return { filter: { unread: key } };
}

type Filter = Extract<AudiencePart, { filter: unknown }>['filter'];

function filterIn(text: string): Filter | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Filter) : null;
  } catch {
    return null;
  }
}
