import { Card } from '#platform/web/components/card.tsx';
import { formatCount, formatLondonTime } from '#platform/web/format.ts';
import type { Campaign } from '../contract.ts';
import classes from './campaigns.module.css';

/** When it leaves, how fast, and what can still be done then. */
export const WhenCard = ({
  campaign: { status, sendAt, byRecipientZone, spreadHours },
}: {
  campaign: Campaign;
}) => (
  <Card title="When and how fast">
    <dl className={classes.facts}>
      <div>
        <dt>Leaves</dt>
        <dd>
          {status === 'scheduled' && sendAt !== null
            ? `${formatLondonTime(sendAt)}, ${byRecipientZone ? 'by each recipient’s clock' : 'London'}`
            : 'At once, or at a time in London that you choose'}
        </dd>
      </div>
      <div>
        <dt>Speed</dt>
        <dd>
          {spreadHours === null
            ? 'As fast as the mail server takes it'
            : `Evenly over ${formatCount(spreadHours, 'hour')}`}
        </dd>
      </div>
      <div>
        <dt>Afterwards</dt>
        <dd>It can be paused and cancelled while it is sent</dd>
      </div>
    </dl>
  </Card>
);
