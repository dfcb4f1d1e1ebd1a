import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatLondonShort, formatLondonTime } from '#platform/web/format.ts';
import type { Campaign, CampaignCheck } from '../contract.ts';
import classes from './campaigns.module.css';
import { speedInWords } from './speed-words.ts';

interface Props {
  campaign: Campaign;
  /** Absent while it is checked. */
  check: CampaignCheck | undefined;
  /** Asks to send it in the best hour. */
  onSchedule: () => void;
}

/** When it leaves, how fast, when it is read best, and what can still be done then. */
export function WhenCard({ campaign, check, onSchedule }: Props) {
  const { status, sendAt, byRecipientZone } = campaign;
  return (
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
        {check && <Expected campaign={campaign} check={check} onSchedule={onSchedule} />}
        <div>
          <dt>Afterwards</dt>
          <dd>It can be paused and cancelled while it is sent</dd>
        </div>
      </dl>
    </Card>
  );
}

function Expected({ campaign, check, onSchedule }: Props & { check: CampaignCheck }) {
  const maySend = useMay('sender');
  const { speed, quietHours, bestHour } = check.when;
  return (
    <>
      <div>
        <dt>Speed</dt>
        <dd>{speedInWords(speed, campaign)}</dd>
      </div>
      {quietHours && (
        <div>
          <dt>Quiet hours</dt>
          <dd>{`${quietHours.from} to ${quietHours.to}, nothing leaves`}</dd>
        </div>
      )}
      <div>
        <dt>Best hour</dt>
        <dd>
          {bestHour === null ? (
            'Not known yet: it takes some campaigns'
          ) : (
            <>
              {`${formatLondonShort(bestHour)}, London `}
              {maySend && check.canSend && <TextButton onClick={onSchedule}>Schedule for then</TextButton>}
            </>
          )}
        </dd>
      </div>
    </>
  );
}
