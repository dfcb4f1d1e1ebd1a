import { useParams } from '@tanstack/react-router';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import type { Campaign } from '../contract.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { CampaignHead, CountChoice } from './campaign-head.tsx';
import { CampaignMenu } from './campaign-menu.tsx';
import { campaignSearch } from './campaigns-search.ts';
import { ContentCard } from './content-card.tsx';
import { FollowUpButton } from './follow-up-button.tsx';
import { MessageCard } from './message-card.tsx';
import { Report } from './report/report.tsx';
import { useLiveCampaign } from './report/use-live-campaign.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { SendDialog } from './send-dialog.tsx';
import { useStaysOpen } from './use-stays-open.ts';
import { WrittenActions } from './written-actions.tsx';

const parent = { label: 'Campaigns', to: '/campaigns' };

/** One campaign: as a draft, while it is sent, and what became of it. */
export default function CampaignPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const campaign = useLiveCampaign(Number(id) || 0);
  if (campaign.data) return <Shown campaign={campaign.data} />;
  return (
    <Page title="Campaign" parent={parent}>
      {campaign.error ? (
        <ErrorState
          title="The campaign could not be loaded"
          error={campaign.error}
          onRetry={() => void campaign.refetch()}
        />
      ) : (
        <CentredSpinner />
      )}
    </Page>
  );
}

function Shown({ campaign }: { campaign: Campaign }) {
  const [state, change] = useUrlState(campaignSearch);
  const { name, status, sentAt, notice } = campaign;
  const mayEdit = useMay('editor');
  const isWritten = status === 'draft' || status === 'scheduled';
  const isEdited = useStaysOpen(state.edit === 'now', isWritten);
  const isSent = useStaysOpen(state.send === 'now', isWritten);
  return (
    <Page
      title={name}
      parent={parent}
      purpose={<CampaignHead campaign={campaign} />}
      actions={
        <>
          {sentAt !== null && <CountChoice count={state.count} onCount={(count) => change({ count })} />}
          <RowMenu label={name}>
            {() => (
              <CampaignMenu
                campaign={campaign}
                onEdit={() => change({ edit: 'now' })}
                onResend={() => change({ resend: 'now' })}
              />
            )}
          </RowMenu>
          {mayEdit && status === 'completed' && campaign.sent > 0 && (
            <FollowUpButton campaign={campaign} onResend={() => change({ resend: 'now' })} />
          )}
          {isWritten && <WrittenActions id={campaign.id} onSend={() => change({ send: 'now' })} />}
        </>
      }
    >
      {notice !== null && (
        <Note tone="warning" title={status === 'sending' ? 'Nothing leaves just now' : 'It waits for you'}>
          {notice}
        </Note>
      )}
      {sentAt === null ? (
        <>
          <ContentCard campaign={campaign} />
          {campaign.template === 'custom' && <MessageCard campaign={campaign} />}
        </>
      ) : (
        <Report campaign={campaign} />
      )}
      <CampaignDialog asked={isEdited ? campaign : null} onClose={() => change({ edit: undefined })} />
      <SendDialog campaign={isSent ? campaign : null} onClose={() => change({ send: undefined })} />
      {state.resend === 'now' && sentAt !== null && (
        <ResendDialog campaign={campaign} onClose={() => change({ resend: undefined })} />
      )}
    </Page>
  );
}
