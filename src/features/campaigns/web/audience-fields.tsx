import { MultiSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '#platform/web/api.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { type CampaignAudience, countAudience } from '../contract.ts';
import { keyOf, partOf } from '../rules/part-key.ts';
import { leftOutVerdicts } from '../rules/predicted-bounces.ts';
import classes from './campaigns.module.css';
import { useAudienceParts } from './use-audience-parts.ts';

const verdictChoices = leftOutVerdicts.map((value) => ({
  value,
  label: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}`,
}));

/** Whom a campaign goes to: lists and tags, and those who are left out. */
export function AudienceFields({
  value,
  onChange,
}: {
  value: CampaignAudience;
  onChange: (value: CampaignAudience) => void;
}) {
  const { options, error: failure } = useAudienceParts([...value.include, ...value.exclude]);
  const shared = {
    data: options,
    searchable: true,
    hidePickedOptions: true,
    nothingFoundMessage: 'Nothing has this name',
  };
  return (
    <>
      <MultiSelect
        {...shared}
        label="Send to"
        placeholder={value.include.length === 0 ? 'Everybody who may be mailed' : ''}
        value={value.include.map(keyOf)}
        onChange={(keys) => onChange({ ...value, include: keys.map(partOf) })}
      />
      <MultiSelect
        {...shared}
        label="Leave out (optional)"
        placeholder={value.exclude.length === 0 ? 'Nobody else' : ''}
        value={value.exclude.map(keyOf)}
        onChange={(keys) => onChange({ ...value, exclude: keys.map(partOf) })}
      />
      <MultiSelect
        label="Leave out by verdict (optional)"
        placeholder={value.leaveOutVerdicts?.length ? '' : 'Nobody for that'}
        data={verdictChoices}
        value={value.leaveOutVerdicts ?? []}
        onChange={(verdicts) => {
          const { leaveOutVerdicts: _before, ...rest } = value;
          const chosen = leftOutVerdicts.filter((one) => verdicts.includes(one));
          onChange(chosen.length === 0 ? rest : { ...rest, leaveOutVerdicts: chosen });
        }}
      />
      <NumberInput
        label="Leave out who was mailed in the last days (optional)"
        placeholder="Nobody for that"
        {...{ min: 1, max: 90, clampBehavior: 'strict', allowDecimal: false, allowNegative: false }}
        suffix={value.notMailedDays === 1 ? ' day' : ' days'}
        value={value.notMailedDays ?? ''}
        onChange={(days) => {
          const { notMailedDays: _before, ...rest } = value;
          onChange(days === '' ? rest : { ...rest, notMailedDays: Number(days) });
        }}
      />
      {failure ? (
        <ErrorLine title="Lists, tags and campaigns could not be loaded" error={failure} />
      ) : (
        <AudienceCount audience={value} />
      )}
    </>
  );
}

/** What a reason is called here, where its name does not say it. */
const leftOutWords: Readonly<Record<string, string>> = {
  no_basis: 'by their marketing basis',
  paused: 'on a break from emails',
  mailed_lately: 'mailed lately',
  over_cap: 'over the frequency cap',
};

/** How many people that is, and how many of them may not be mailed. */
export function AudienceCount({ audience }: { audience: CampaignAudience }) {
  const { data, error } = useAudienceCount(audience);
  if (error) return <ErrorLine title="The recipients could not be counted" error={error} />;
  if (!data) return <p className={classes.count}>Counting…</p>;
  const out = Object.entries(data.leftOut).map(
    ([reason, people]) => `${formatNumber(people)} ${leftOutWords[reason] ?? reason}`,
  );
  return (
    <p className={classes.count} aria-live="polite">
      <b>{formatCount(data.recipients, 'recipient')}</b>
      {out.length > 0 && `; left out: ${out.join(', ')}`}
    </p>
  );
}

export const useAudienceCount = (audience: CampaignAudience) =>
  useQuery({
    queryKey: [countAudience.path, audience],
    queryFn: ({ signal }) => call(countAudience, { body: audience, signal }),
    staleTime: 10_000,
  });
