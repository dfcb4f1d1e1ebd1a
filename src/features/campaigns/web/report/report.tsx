import { Skeleton } from '@mantine/core';
import { useRef } from 'react';
import { Columns } from '#platform/web/components/page.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import type { Campaign } from '../../contract.ts';
import { AbTestResult } from '../ab-test-result.tsx';
import { campaignSearch } from '../campaigns-search.ts';
import type { AskRecipients } from './ask-recipients.ts';
import { CountriesCard } from './countries-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { DomainsCard } from './domains-card.tsx';
import { Funnel } from './funnel.tsx';
import { LinksCard } from './links-card.tsx';
import { NotDelivered } from './not-delivered.tsx';
import { RateCard } from './rate-card.tsx';
import { RecipientsCard } from './recipients-card.tsx';
import classes from './report.module.css';
import { useBreakdown } from './use-breakdown.ts';
import { useReport } from './use-report.ts';

const columns = 'minmax(0, 1fr) 300px';

/** What became of a campaign that is sent or was. */
export function Report({ campaign }: { campaign: Campaign }) {
  const [{ count }, change] = useUrlState(campaignSearch);
  const withMachines = count === 'all';
  const recipients = useRef<HTMLElement>(null);
  // One after the other, the groups would push down what somebody is about to press. A group that
  // failed is drawn, too, and stays while it tries again.
  const isThere = [useReport(campaign), useBreakdown(campaign)].every(({ isFetched }) => isFetched);
  const ask: AskRecipients = ({ state, did, link, search = '' }) => {
    change({ state, did, link, search });
    // Whoever uses the keyboard goes on from there.
    recipients.current?.focus({ preventScroll: true });
    recipients.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <Columns columns={columns}>
        <Funnel campaign={campaign} withMachines={withMachines} onAsk={ask} />
        <NotDelivered campaign={campaign} onAsk={ask} />
      </Columns>
      {isThere ? (
        <>
          <Columns columns={columns}>
            <RateCard campaign={campaign} withMachines={withMachines} />
            <DevicesCard campaign={campaign} withMachines={withMachines} />
          </Columns>
          {campaign.abTest && <AbTestResult campaign={campaign} />}
          <LinksCard campaign={campaign} withMachines={withMachines} onAsk={ask} />
          <Columns columns={columns}>
            <DomainsCard campaign={campaign} onAsk={ask} />
            <CountriesCard campaign={campaign} />
          </Columns>
          <section
            ref={recipients}
            className={classes.recipients}
            tabIndex={-1}
            aria-label="Recipients and filters"
          >
            <RecipientsCard campaign={campaign} />
          </section>
        </>
      ) : (
        <Skeleton height={348} radius={8} />
      )}
    </>
  );
}
