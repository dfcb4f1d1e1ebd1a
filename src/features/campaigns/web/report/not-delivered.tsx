import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatNumber } from '#platform/web/format.ts';
import type { Campaign } from '../../contract.ts';
import { actLabels } from '../campaign-words.ts';
import classes from '../campaigns.module.css';
import type { AskRecipients } from './ask-recipients.ts';
import { useReport } from './use-report.ts';

/** Why people were not mailed, and how many bounced, complained and left. */
export function NotDelivered({ campaign, onAsk }: { campaign: Campaign; onAsk: AskRecipients }) {
  const { data, error, isLoading } = useReport(campaign);
  const reasons = data?.reasons ?? [];
  const acts = [
    { did: 'bounced', people: campaign.bounced },
    { did: 'complained', people: campaign.complained },
    { did: 'left', people: campaign.unsubscribed },
  ] as const;
  if (isLoading)
    return (
      <Card title="Not delivered">
        <Skeleton height={48} />
      </Card>
    );
  return (
    <Card title="Not delivered">
      {error && <ErrorLine title="The reasons could not be loaded" error={error} />}
      {data && reasons.length === 0 && <p className={classes.nobody}>Nobody was missed.</p>}
      <dl className={classes.lines}>
        {reasons.map(({ state, reason, words, people }) => (
          <Line key={`${state} ${reason}`} people={people}>
            <TextButton onClick={() => onAsk({ state })}>{words}</TextButton>
          </Line>
        ))}
        {acts
          .filter(({ did, people }) => people > 0 || did === 'left')
          .map(({ did, people }) => (
            <Line key={did} people={people}>
              {people > 0 ? (
                <TextButton onClick={() => onAsk({ did })}>{actLabels[did]}</TextButton>
              ) : (
                actLabels[did]
              )}
            </Line>
          ))}
      </dl>
    </Card>
  );
}

const Line = ({ people, children }: { people: number; children: ReactNode }) => (
  <div>
    <dt>{children}</dt>
    <dd>{formatNumber(people)}</dd>
  </div>
);
