import { Menu } from '@mantine/core';
import { IconRefresh, IconUsers } from '@tabler/icons-react';
import { call, words as wordsOf } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { ListFilters } from '#platform/web/components/list-filters.tsx';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { Toolbar } from '#platform/web/components/page.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';

import type { Tone } from '#platform/web/theme-colours.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Campaign, type CampaignRecipient, recipientStates, sendAgain } from '../contract.ts';
import { stateLabels } from './campaign-words.ts';
import { campaignSearch } from './campaigns-search.ts';
import { ExportButton } from './export-button.tsx';
import { useRefreshCampaigns } from './use-campaign-steps.ts';
import { useRecipients } from './use-recipients.ts';

const tones: Record<CampaignRecipient['state'], Tone> = {
  pending: 'neutral',
  sent: 'success',
  deferred: 'warning',
  failed: 'error',
  skipped: 'neutral',
  uncertain: 'warning',
  left_out: 'neutral',
};

const State = ({ state }: Pick<CampaignRecipient, 'state'>) => (
  <StatusBadge status={state} label={stateLabels[state]} tone={tones[state]} />
);
const whyOf = ({ state, words, reply }: CampaignRecipient): string =>
  state === 'sent' || state === 'pending' ? '' : [words, reply].filter(Boolean).join('. ');

const columns: Column<CampaignRecipient>[] = [
  {
    key: 'address',
    head: 'Address',
    width: '34%',
    tone: 'strong',
    cell: ({ address }) => <AddressText address={address} />,
  },
  { key: 'state', head: 'State', width: 150, cell: State },
  {
    key: 'why',
    head: 'Why',
    tone: 'dim',
    cell: (recipient) => <span title={whyOf(recipient)}>{whyOf(recipient)}</span>,
  },
];

const onPhone = (recipient: CampaignRecipient): PhoneRow => ({
  title: <AddressText address={recipient.address} />,
  second: (
    <>
      <State state={recipient.state} />
      <span>{whyOf(recipient)}</span>
    </>
  ),
});

const words: ListWords = {
  label: 'Recipients',
  errorTitle: 'The recipients could not be loaded',
  older: 'Show more recipients',
  empty: {
    icon: IconUsers,
    title: 'No recipients',
    description: 'They are being written down, or there are none.',
  },
  nothingFound: {
    title: 'No recipient fits',
    description: 'Choose another state, or search for another address.',
  },
};

/** Everybody whom a campaign goes to, and what became of each. */
export function RecipientsCard({ campaign: { id } }: { campaign: Campaign }) {
  const [state, change] = useUrlState(campaignSearch);
  const maySend = useMay('sender');
  const refresh = useRefreshCampaigns();
  const asked = recipientStates.find((one) => one === state.state);
  const list = useRecipients(id, { state: asked, search: state.search });
  const again = async ({ id: recipient, address }: CampaignRecipient) => {
    try {
      await call(sendAgain, { params: { id, recipient } });
      toastDone({ title: 'Sent Again', message: `${address} gets it once more.` });
    } catch (error) {
      toastFailed({ title: 'Error', message: wordsOf(error, 'Failed to send again') });
    }
    await refresh();
  };
  return (
    <>
      <Toolbar search={null}>
        <ListFilters
          state={state}
          change={change}
          search={{ field: 'search', placeholder: 'Search recipients' }}
          fields={[
            {
              key: 'state',
              label: 'State',
              options: recipientStates.map((value) => ({ value, label: stateLabels[value] })),
            },
          ]}
        />
      </Toolbar>
      <ListTable
        list={list}
        words={words}
        columns={columns}
        phone={onPhone}
        rowKey={({ id: key }) => key}
        rowLabel={({ address }) => address}
        expectedRows={10}
        card={{ title: 'Recipients', action: <ExportButton id={id} state={asked} /> }}
        isNarrowed={asked !== undefined || state.search !== ''}
        {...(maySend && asked === 'uncertain'
          ? {
              rowMenu: (recipient: CampaignRecipient) => (
                <Menu.Item
                  leftSection={<IconRefresh size={16} stroke={1.6} />}
                  onClick={() => void again(recipient)}
                >
                  Send again
                </Menu.Item>
              ),
            }
          : {})}
      />
    </>
  );
}
