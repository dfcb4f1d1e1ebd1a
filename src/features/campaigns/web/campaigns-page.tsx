import { useNavigate } from '@tanstack/react-router';
import { LinkButton } from '#platform/web/components/links.tsx';
import { ListPage } from '#platform/web/components/list-page.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { capitalise } from '#platform/web/format.ts';
import { useOlder } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Campaign, getCampaigns } from '../contract.ts';
import { campaignStatuses, isMoving } from '../rules/campaign.ts';
import { campaignColumns, campaignOnPhone, campaignsInWords, withSend } from './campaign-columns.tsx';
import { CampaignDialogs } from './campaign-dialogs.tsx';
import { CampaignMenu } from './campaign-menu.tsx';
import { campaignsSearch } from './campaigns-search.ts';

const statusField = {
  key: 'status',
  label: 'Status',
  options: campaignStatuses.map((value) => ({ value, label: capitalise(value) })),
} as const;
const archivedField = {
  key: 'archived',
  label: 'Archive',
  options: [{ value: 'only', label: 'Archived' }],
} as const;

/** One more is asked for, which tells whether there are older ones. */
const pageSize = 50;

/** Emails to many: drafts, what is on its way, and what was sent. */
export default function CampaignsPage() {
  const [state, change] = useUrlState(campaignsSearch);
  const { search, status, archived } = state;
  const navigate = useNavigate();
  const maySend = useMay('sender');
  const { first: _first, ...list } = useOlder(getCampaigns, {
    query: {
      ...{ limit: pageSize + 1, archived: archived ?? 'no' },
      ...(search ? { search } : {}),
      ...(status ? { status } : {}),
    },
    rowsOf: (campaigns) => campaigns.slice(0, pageSize),
    after: (campaigns) =>
      campaigns.length > pageSize ? { before: (campaigns[pageSize - 1] as Campaign).id } : undefined,
    staleTime: 0,
    keepsRows: true,
    follow: { every: 2_000, isMoving },
  });
  const open = ({ id }: Campaign) =>
    void navigate({ to: '/campaigns/$id', params: { id: String(id) } as never });
  return (
    <ListPage
      title="Email Campaigns"
      purpose="Emails to many, with what became of each."
      actions={
        <>
          <LinkButton to="/campaigns/calendar" variant="default">
            Calendar
          </LinkButton>
          <MayEditButton why="Campaigns need the editor role." onClick={() => change({ dialog: 'new' })}>
            Create Campaign
          </MayEditButton>
        </>
      }
      filters={{
        state,
        change,
        search: { field: 'search', placeholder: 'Search campaigns' },
        fields: [statusField, archivedField],
      }}
      list={list}
      words={campaignsInWords}
      columns={maySend ? withSend((id) => change({ send: id })) : campaignColumns}
      phone={campaignOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      expectedRows={6}
      minWidth={900}
      onOpen={open}
      rowMenu={(campaign) => (
        <CampaignMenu
          campaign={campaign}
          onEdit={() => void navigateToEdit(navigate, campaign)}
          onResend={() => change({ resend: campaign.id })}
        />
      )}
    >
      <CampaignDialogs shown={list.rows} />
    </ListPage>
  );
}

/** The list has no content, so a campaign is changed on its own page. */
const navigateToEdit = (navigate: ReturnType<typeof useNavigate>, { id }: Campaign) =>
  navigate({
    to: '/campaigns/$id',
    params: { id: String(id) } as never,
    search: { edit: 'now' } as never,
  });
