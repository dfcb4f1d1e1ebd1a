import type { UseQueryResult } from '@tanstack/react-query';
import { Card } from '#platform/web/components/card.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatNumber } from '#platform/web/format.ts';
import type { AudiencePart } from '../contract/audience-part.ts';
import type { Campaign, CampaignCheck } from '../contract.ts';
import { skipWords } from './campaign-words.ts';
import classes from './check.module.css';
import { leftOutHints } from './left-out-words.ts';
import { useAudienceParts } from './use-audience-parts.ts';

interface RecipientsBarProps {
  campaign: Campaign;
  check: UseQueryResult<CampaignCheck>;
}

const colours = ['fate-suppressed', 'fate-invalid', 'fate-duplicate', 'fate-non-uk', 'chart-3'];

/** How many people get it, and how many of the audience do not, by reason. */
export function RecipientsBar({ campaign, check: { data, error } }: RecipientsBarProps) {
  const mayEdit = useMay('editor');
  if (!data)
    return (
      <Card title="Recipients">
        {error ? (
          <ErrorState title="The recipients could not be counted" error={error} />
        ) : (
          <p className={classes.dim} aria-busy>
            Counting and checking…
          </p>
        )}
      </Card>
    );
  const hints = leftOutHints(data.leftOutBecause, campaign.audience);
  const out = skipWords.flatMap(({ key, label }) => {
    const value = data.leftOut[key] ?? 0;
    return value > 0 ? [{ key, label, value, hint: hints[key] }] : [];
  });
  const leftOut = out.reduce((sum, { value }) => sum + value, 0);
  const segments = [
    { key: 'gets', label: 'Gets it', value: data.recipients, colour: 'var(--ui-chart-1)' },
    ...out.map((one, at) => ({ ...one, colour: `var(--ui-${colours[at % colours.length]})` })),
  ];
  const sum = `${formatNumber(data.recipients + leftOut)} meant, ${formatNumber(leftOut)} left out`;
  return (
    <Card
      title="Recipients"
      hint={<Meant campaign={campaign} />}
      action={
        <span className={classes.sum}>
          {sum}
          {mayEdit && (
            <TextLink to={`/campaigns/${campaign.id}/edit`} label="Change the recipients">
              Change
            </TextLink>
          )}
        </span>
      }
    >
      <SegmentBar segments={segments} label="Who gets it" legend="list" />
    </Card>
  );
}

/** Whom the audience means, by the names of its parts. */
function Meant({ campaign: { audience } }: { campaign: Campaign }) {
  const { include, exclude, leaveOutVerdicts = [] } = audience;
  const { nameOf } = useAudienceParts([...include, ...exclude]);
  const names = (parts: readonly AudiencePart[]) => parts.map(nameOf).join(', ');
  const without = exclude.length > 0 ? `, without ${names(exclude)}` : '';
  const judged = leaveOutVerdicts.length > 0 ? `, without ${leaveOutVerdicts.join(' and ')} addresses` : '';
  return `${include.length > 0 ? names(include) : 'Everybody'}${without}${judged}`;
}
