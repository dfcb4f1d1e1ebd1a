import { Columns } from '#platform/web/components/page.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import type { Campaign } from '../../contract.ts';
import { AbTestResult } from '../ab-test-result.tsx';
import { campaignSearch } from '../campaigns-search.ts';
import { DevicesCard } from './devices-card.tsx';
import { Funnel } from './funnel.tsx';
import { LinksCard } from './links-card.tsx';
import { NotDelivered } from './not-delivered.tsx';
import { RateCard } from './rate-card.tsx';
import { RecipientsCard } from './recipients-card.tsx';

const columns = 'minmax(0, 1fr) 300px';

/** What became of a campaign that is sent or was. */
export function Report({ campaign }: { campaign: Campaign }) {
  const [{ count }, change] = useUrlState(campaignSearch);
  const withMachines = count === 'all';
  return (
    <>
      <Columns columns={columns}>
        <Funnel campaign={campaign} withMachines={withMachines} />
        <NotDelivered campaign={campaign} onState={(state) => change({ state })} />
      </Columns>
      <Columns columns={columns}>
        <RateCard campaign={campaign} withMachines={withMachines} />
        <DevicesCard campaign={campaign} withMachines={withMachines} />
      </Columns>
      {campaign.abTest && <AbTestResult campaign={campaign} />}
      <LinksCard campaign={campaign} withMachines={withMachines} />
      <RecipientsCard campaign={campaign} />
    </>
  );
}
