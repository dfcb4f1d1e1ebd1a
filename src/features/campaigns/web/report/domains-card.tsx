import { useState } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber, formatShare } from '#platform/web/format.ts';
import type { Campaign, DomainFigures } from '../../contract.ts';
import type { AskRecipients } from './ask-recipients.ts';
import { BreakdownExportButton } from './breakdown-export-button.tsx';
import classes from './domains.module.css';
import { useBreakdown } from './use-breakdown.ts';

interface DomainsCardProps {
  campaign: Campaign;
  onAsk: AskRecipients;
}

/** Domains that show before somebody asks for all. */
const first = 8;

/** What became of a campaign at each receiving domain, those with most recipients first. */
export function DomainsCard({ campaign, onAsk }: DomainsCardProps) {
  const { data, error } = useBreakdown(campaign);
  const [all, setAll] = useState(false);
  if (error) return <ErrorLine title="The receiving domains could not be loaded" error={error} />;
  if (!data || (data.domains.length === 0 && !data.isCounting)) return null;
  return (
    <Card
      title="Receiving domains"
      flush
      action={
        <span className={classes.actions}>
          <span className={classes.age}>{ageOf(data.countedAt, data.isCounting)}</span>
          <BreakdownExportButton campaign={campaign} what="domains" />
        </span>
      }
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Recipients</th>
            <th scope="col">Sent</th>
            <th scope="col">Bounced</th>
            <th scope="col">Opened</th>
            <th scope="col">Clicked</th>
            <th scope="col">Unsubscribed</th>
          </tr>
        </thead>
        <tbody>
          {data.domains.slice(0, all ? undefined : first).map((line) => (
            <Line key={line.domain ?? ''} line={line} onAsk={onAsk} />
          ))}
        </tbody>
      </table>
      {data.domains.length > first && !all && (
        <p className={classes.more}>
          <TextButton onClick={() => setAll(true)}>
            {`Show ${formatCount(data.domains.length - first, 'more line')}`}
          </TextButton>
        </p>
      )}
    </Card>
  );
}

const ageOf = (countedAt: string | null, isCounting: boolean) => {
  if (countedAt === null) return 'They are being counted.';
  return (
    <>
      Counted <DateText value={countedAt} />
      {isCounting && ', a newer count is on its way'}
    </>
  );
};

function Line({ line, onAsk }: { line: DomainFigures; onAsk: AskRecipients }) {
  const { domain, domains, recipients, sent, bounced, opened, clicked, unsubscribed } = line;
  return (
    <tr>
      <th scope="row">
        {domain === null ? (
          formatCount(domains, 'other domain')
        ) : (
          <TextButton onClick={() => onAsk({ search: `@${domain}` })}>{domain}</TextButton>
        )}
      </th>
      <td>{formatNumber(recipients)}</td>
      <Share part={sent} of={recipients} />
      <Share part={bounced} of={recipients} isBad />
      <Share part={opened} of={sent} />
      <Share part={clicked} of={sent} />
      <Share part={unsubscribed} of={sent} />
    </tr>
  );
}

/** Mailbox providers look askance at a sender of whose mail more than this comes back. */
const mostBack = 0.02;

const Share = ({ part, of, isBad = false }: { part: number; of: number; isBad?: boolean }) => (
  <td title={formatNumber(part)} data-bad={(isBad && part > of * mostBack) || undefined}>
    {formatShare(part, of)}
  </td>
);
