import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatNumber } from '#platform/web/format.ts';
import type { Campaign, CampaignRecipient } from '../../contract.ts';
import classes from '../campaigns.module.css';
import { useReport } from './use-report.ts';

/** Why people were not mailed, and how many left. */
export function NotDelivered({
  campaign,
  onState,
}: {
  campaign: Campaign;
  onState: (state: CampaignRecipient['state']) => void;
}) {
  const { unsubscribed } = campaign;
  const { data, error } = useReport(campaign);
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
