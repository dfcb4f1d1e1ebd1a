import { useQuery } from '@tanstack/react-query';
import { getLists } from '#features/lists/contract.ts';
import { getTags } from '#features/tags/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import {
  type AudiencePart,
  type CampaignPart,
  campaignOf,
  campaignParts,
} from '../contract/audience-part.ts';
import { getCampaigns } from '../contract.ts';

const didWords: Record<CampaignPart, string> = {
  notOpened: 'Did not open',
  opened: 'Opened',
  clicked: 'Clicked in',
  sent: 'Got',
};

/** How many earlier campaigns are offered. */
const mostCampaigns = 20;

/** A part as a choice holds it. */
export const keyOf = (part: AudiencePart): string => {
  if ('list' in part) return `list ${part.list}`;
  if ('tag' in part) return `tag ${part.tag}`;
  if ('filter' in part) return `filter ${JSON.stringify(part.filter)}`;
  const campaign = campaignOf(part);
  return `${campaign?.did} ${campaign?.id}`;
};

export function partOf(key: string): AudiencePart {
  const at = key.indexOf(' ');
  const [kind, rest] = [key.slice(0, at), key.slice(at + 1)];
  return (kind === 'filter' ? { filter: JSON.parse(rest) } : { [kind]: Number(rest) }) as AudiencePart;
}

/** What an audience can be made of, with its names, and how a part is called. */
export function useAudienceParts(chosen: readonly AudiencePart[]) {
  const lists = useQuery(queryOptionsFor(getLists));
  const tags = useQuery(queryOptionsFor(getTags));
  const campaigns = useQuery(queryOptionsFor(getCampaigns, { query: { archived: 'all' } }));
  const sent = (campaigns.data ?? []).filter(({ sentAt }) => sentAt !== null);
  const nameOf = (part: AudiencePart): string => {
    const campaign = campaignOf(part);
    if (campaign)
      return `${didWords[campaign.did]} “${sent.find(({ id }) => id === campaign.id)?.name ?? '…'}”`;
    if ('filter' in part) return `Filter: ${filterInWords(part.filter)}`;
    const found =
      'list' in part
        ? lists.data?.find(({ id }) => id === part.list)
        : tags.data?.find(({ id }) => 'tag' in part && id === part.tag);
    return found?.name ?? '…';
  };
  const earlier: AudiencePart[] = sent
    .slice(0, mostCampaigns)
    .flatMap(({ id, trackOpens }) =>
      campaignParts
        .filter((did) => did === 'sent' || trackOpens)
        .map((did) => ({ [did]: id }) as AudiencePart),
    );
  const optionsOf = (parts: readonly AudiencePart[]) =>
    [...new Map(parts.map((part) => [keyOf(part), part])).values()].map((part) => ({
      value: keyOf(part),
      label: nameOf(part),
    }));
  const filters = chosen.filter((part) => 'filter' in part);
  const options = [
    { group: 'Lists and segments', items: optionsOf((lists.data ?? []).map(({ id }) => ({ list: id }))) },
    { group: 'Tags', items: optionsOf((tags.data ?? []).map(({ id }) => ({ tag: id }))) },
    {
      group: 'Earlier campaigns',
      items: optionsOf([...earlier, ...chosen.filter((part) => campaignOf(part))]),
    },
    ...(filters.length > 0 ? [{ group: 'Filters', items: optionsOf(filters) }] : []),
  ];
  return { options, nameOf, error: lists.error ?? tags.error ?? campaigns.error };
}

const filterInWords = (filter: Readonly<Record<string, unknown>>): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' or ') : String(value)}`)
    .join(', ');
