import { useQueries, useQuery } from '@tanstack/react-query';
import { getLists } from '#features/lists/contract.ts';
import { getTags } from '#features/tags/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import {
  type AudiencePart,
  type CampaignPart,
  campaignOf,
  campaignParts,
} from '../contract/audience-part.ts';
import { type Campaign, getCampaign, getCampaigns } from '../contract.ts';
import { keyOf } from '../rules/part-key.ts';
import { filterInWords } from './filter-words.ts';

const didWords: Record<CampaignPart, string> = {
  notOpened: 'Did not open',
  opened: 'Opened',
  clicked: 'Clicked in',
  sent: 'Got',
};

/** How many earlier campaigns are offered. */
const mostCampaigns = 20;

/** What an audience can be made of, with its names, and how a part is called. */
export function useAudienceParts(chosen: readonly AudiencePart[]) {
  const lists = useQuery(queryOptionsFor(getLists));
  const tags = useQuery(queryOptionsFor(getTags));
  const campaigns = useSentCampaigns(chosen);
  const nameOf = (part: AudiencePart): string => {
    const campaign = campaignOf(part);
    if (campaign)
      return `${didWords[campaign.did]} “${campaigns.named.find(({ id }) => id === campaign.id)?.name ?? '…'}”`;
    if ('filter' in part)
      return `Filter: ${filterInWords(part.filter, { lists: lists.data, tags: tags.data })}`;
    const found =
      'list' in part
        ? lists.data?.find(({ id }) => id === part.list)
        : tags.data?.find(({ id }) => 'tag' in part && id === part.tag);
    return found?.name ?? '…';
  };
  const earlier: AudiencePart[] = campaigns.latest.flatMap(({ id, trackOpens }) =>
    campaignParts.filter((did) => did === 'sent' || trackOpens).map((did) => ({ [did]: id }) as AudiencePart),
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

/** The latest campaigns that were sent, and with them those that parts name. */
function useSentCampaigns(chosen: readonly AudiencePart[]) {
  const query = { archived: 'all', sent: 'true', limit: mostCampaigns } as const;
  const { data, error } = useQuery(queryOptionsFor(getCampaigns, { query }));
  const latest = data ?? [];
  const others = new Set(chosen.flatMap((part) => campaignOf(part)?.id ?? []));
  for (const { id } of latest) others.delete(id);
  return useQueries({
    queries: [...(data ? others : [])].map((id) => queryOptionsFor(getCampaign, { params: { id } })),
    combine: (asked) => ({
      latest,
      named: [...latest, ...asked.flatMap((one): Campaign[] => (one.data ? [one.data] : []))],
      error: error ?? asked.find((one) => one.error)?.error ?? null,
    }),
  });
}
