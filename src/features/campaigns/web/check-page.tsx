import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Campaign, checkCampaign, getCampaign } from '../contract.ts';
import { BouncesCard } from './bounces-card.tsx';
import { checkSearch } from './campaigns-search.ts';
import classes from './check.module.css';
import { CheckActions } from './check-actions.tsx';
import { ChecksCard } from './checks-card.tsx';
import { MessageCard } from './message-card.tsx';
import { RecipientsBar } from './recipients-bar.tsx';
import { SendDialog } from './send-dialog.tsx';
import { useLinkCheck } from './use-link-check.ts';
import { useStaysOpen } from './use-stays-open.ts';
import { WhenCard } from './when-card.tsx';

const campaigns = { label: 'Campaigns', to: '/campaigns' };

/** The last look before a campaign leaves: who gets it, what is wrong with it, how it looks. */
export default function CheckPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error } = useQuery({
    ...queryOptionsFor(getCampaign, { params: { id: Number(id) || 0 } }),
    refetchOnMount: 'always',
  });
  if (data) return <Checked campaign={data} />;
  return (
    <Page title="Check" parent={campaigns}>
      {error ? <ErrorState title="The campaign could not be loaded" error={error} /> : <CentredSpinner />}
    </Page>
  );
}

function Checked({ campaign }: { campaign: Campaign }) {
  const { id, name, status, sentAt } = campaign;
  const [{ send }, change] = useUrlState(checkSearch);
  const check = useQuery({
    ...queryOptionsFor(checkCampaign, { params: { id } }),
    // Contacts, settings and DNS change while nobody looks here.
    refetchOnMount: 'always',
    enabled: sentAt === null,
  });
  const links = useLinkCheck(campaign);
  const { data } = check;
  // An old address may ask for an hour that is not known any more. Then nothing opens.
  const bestHour = send === 'best' ? (data?.when.bestHour ?? null) : null;
  const mayOpen = sentAt === null && data?.canSend === true && (send === 'now' || bestHour !== null);
  const isAsking = useStaysOpen(send !== undefined, mayOpen);
  if (sentAt !== null && !isAsking)
    return <Navigate to={'/campaigns/$id' as string} params={{ id: String(id) } as never} replace />;
  return (
    <Page
      title={name}
      parent={campaigns}
      gap="report"
      purpose={
        <span className={classes.purpose}>
          <StatusBadge status={status} /> Check who gets it, then send.
        </span>
      }
      actions={<CheckActions id={id} check={data} onSend={() => change({ send: 'now' })} />}
    >
      <Columns columns="minmax(0, 1fr) 400px">
        <div className={classes.stack}>
          <RecipientsBar campaign={campaign} check={check} />
          {data && <BouncesCard campaign={campaign} check={data} />}
          {!check.isLoading && <ChecksCard check={check} links={links} />}
        </div>
        <div className={classes.stack}>
          <MessageCard campaign={campaign} />
          <WhenCard campaign={campaign} check={data} onSchedule={() => change({ send: 'best' })} />
        </div>
      </Columns>
      <SendDialog
        campaign={isAsking ? campaign : null}
        at={bestHour}
        onClose={() => change({ send: undefined })}
      />
    </Page>
  );
}
