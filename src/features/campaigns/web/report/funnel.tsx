import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { formatNumber, formatShare } from '#platform/web/format.ts';
import type { Campaign } from '../../contract.ts';
import { reachedBy } from '../../rules/rate.ts';
import { booksInWords } from '../campaign-words.ts';
import classes from '../campaigns.module.css';
import type { AskRecipients } from './ask-recipients.ts';

interface FunnelProps {
  campaign: Campaign;
  withMachines: boolean;
  onAsk: AskRecipients;
}

interface Step {
  name: string;
  value: number;
  /** What it is a share of, in numbers and in words. */
  of?: number;
  words?: string;
  /** What we did, and not people. */
  isOurs?: boolean;
  asked?: Parameters<AskRecipients>[0];
}

/** From all recipients to those who clicked, each step with its share. */
export function Funnel({ campaign, withMachines, onAsk }: FunnelProps) {
  const { totalRecipients, sent, delivered, opened, clicked, machineOpened, machineClicked } = campaign;
  const reached = reachedBy(campaign);
  const ofReached = reached > delivered ? 'of those reached' : 'of delivered';
  const ofGot = campaign.neverLeft ? 'of those kept' : ofReached;
  const steps: Step[] = [
    { name: 'Recipients', value: totalRecipients, isOurs: true },
    {
      name: 'Sent',
      value: sent,
      of: totalRecipients,
      words: 'of recipients',
      isOurs: true,
      asked: { state: 'sent' },
    },
    {
      // Without a mail server nobody got it.
      name: campaign.neverLeft ? 'Kept in the outbox' : 'Delivered',
      value: delivered,
      of: sent,
      words: 'of sent',
      isOurs: true,
      asked: { did: 'got' },
    },
    {
      name: 'Opened',
      value: opened + (withMachines ? machineOpened : 0),
      of: reached,
      words: ofGot,
      asked: { did: 'opened' },
    },
    {
      name: 'Clicked',
      value: clicked + (withMachines ? machineClicked : 0),
      of: reached,
      words: ofGot,
      asked: { did: 'clicked' },
    },
  ];
  return (
    <Card title="What became of it">
      <ol className={classes.funnel}>
        {steps.map(({ name, value, of, words, isOurs, asked }) => (
          <li key={name} className={classes.step}>
            <span className={classes.name}>
              {asked && value > 0 ? <TextButton onClick={() => onAsk(asked)}>{name}</TextButton> : name}
            </span>
            <span className={classes.figure}>{formatNumber(value)}</span>
            <span className={classes.share}>{of ? `${formatShare(value, of)} ${words}` : '\u00a0'}</span>
            <span className={classes.well} aria-hidden>
              <span
                className={classes.bar}
                data-ours={isOurs}
                style={{ height: `${totalRecipients > 0 ? (100 * value) / totalRecipients : 0}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.books}>{booksInWords(campaign)}</p>
      {!withMachines && machineOpened > 0 && (
        <p className={classes.books}>
          {formatNumber(machineOpened)} more were opened by mail scanners and privacy proxies alone. They are
          left out of these rates.
        </p>
      )}
    </Card>
  );
}
