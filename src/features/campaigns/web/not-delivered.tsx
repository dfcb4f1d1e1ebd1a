import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { type Campaign, type CampaignRecipient, getReport } from '../contract.ts';
import { isMoving } from './campaign-words.ts';
import classes from './campaigns.module.css';

/** Why people were not mailed, and how many left. */
export function NotDelivered({
  campaign,
  onState,
}: {
  campaign: Campaign;
  onState: (state: CampaignRecipient['state']) => void;
}) {
  const { id, unsubscribed } = campaign;
  const { data, error } = useQuery({
    ...queryOptionsFor(getReport, { params: { id } }),
    refetchInterval: isMoving(campaign) ? 2_000 : false,
  });
  const reasons = data?.reasons ?? [];
  return (
    <Card title="Not delivered">
      {error && <ErrorLine title="The reasons could not be loaded" error={error} />}
      <dl className={classes.lines}>
        {data && reasons.length === 0 && <div>Nobody was missed.</div>}
        {reasons.map(({ state, reason, words, people }) => (
          <div key={`${state} ${reason}`}>
            <dt>
              <TextButton onClick={() => onState(state)}>{words}</TextButton>
            </dt>
            <dd>{formatNumber(people)}</dd>
          </div>
        ))}
        <div>
          <dt>Unsubscribed</dt>
          <dd>{formatNumber(unsubscribed)}</dd>
        </div>
      </dl>
    </Card>
  );
}
