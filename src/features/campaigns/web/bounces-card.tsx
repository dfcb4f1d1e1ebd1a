import { IconAlertTriangle } from '@tabler/icons-react';
import { Card } from '#platform/web/components/card.tsx';
import { formatNumber, formatPercent } from '#platform/web/format.ts';
import type { Campaign, CampaignCheck } from '../contract.ts';
import classes from './bounces-card.module.css';
import { LeaveOutButton } from './leave-out-button.tsx';

type Predicted = NonNullable<CampaignCheck['predictedBounces']>;
type Verdict = Predicted['byVerdict'][number]['verdict'];

/** The share at the end of the meter. */
const fullShare = 0.05;

const verdictWords: Readonly<Record<Verdict, string>> = {
  invalid: 'Cannot be delivered',
  risky: 'Throwaway, mistyped or made up',
  unknown: 'Mail server could not be looked up',
  unverified: 'Never verified',
  valid: 'Passed the last check',
};

/** How many messages will come back, what makes it up, and how it gets better. */
export function BouncesCard({ campaign, check }: { campaign: Campaign; check: CampaignCheck }) {
  const { predictedBounces: predicted, leaveOut } = check;
  if (!predicted) return null;
  const { recipients, bounces, share, limit, byVerdict, after } = predicted;
  const isHigh = share >= limit;
  const fix = check.checks.find(({ key }) => key === 'bounces')?.fix;
  return (
    <Card title="Predicted bounces" hint="by the last check of each address and earlier campaigns" flush>
      <div className={classes.body}>
        <div className={classes.sum} data-high={isHigh || undefined}>
          <p className={classes.share}>
            <b>{percent(share)}</b> {formatNumber(bounces)} of {formatNumber(recipients)}
          </p>
          <Meter share={share} limit={limit} />
        </div>
        <dl className={classes.verdicts}>
          {byVerdict.map((one) => (
            <div key={one.verdict}>
              <dt>{verdictWords[one.verdict]}</dt>
              <dd>
                <b>{formatNumber(one.bounces)}</b> of {formatNumber(one.contacts)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {isHigh && (
        <div className={classes.strip}>
          <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
          {leaveOut && after ? (
            <>
              <p>
                <b>
                  Leave out these {formatNumber(leaveOut.contacts)} to get under {percent(limit)}.
                </b>{' '}
                The rest, {formatNumber(after.recipients)}, are predicted at {percent(after.share)}.
              </p>
              <LeaveOutButton campaign={campaign} leaveOut={leaveOut} />
            </>
          ) : (
            <p>
              <b>{fix}</b> From {percent(limit)} on, receivers think less of a sender.
            </p>
          )}
        </div>
      )}
    </Card>
  );
}

function Meter({ share, limit }: { share: number; limit: number }) {
  const place = (of: number) => `${Math.min(1, of / fullShare) * 100}%`;
  return (
    <>
      <div
        className={classes.meter}
        role="img"
        aria-label={`${percent(share)} predicted, the limit is ${percent(limit)}`}
      >
        <span className={classes.filled} style={{ width: place(share) }} />
        <span className={classes.mark} style={{ left: place(limit) }} />
      </div>
      <p className={classes.scale} aria-hidden>
        <span>0%</span>
        <span className={classes.limit} style={{ left: place(limit) }}>
          {percent(limit)} limit
        </span>
        <span>{percent(fullShare)}</span>
      </p>
    </>
  );
}

const percent = (share: number): string => formatPercent(Math.round(share * 1_000) / 1_000);
