import { Group, Menu } from '@mantine/core';
import { IconRefresh, IconUsers } from '@tabler/icons-react';
import { call, words as wordsOf } from '#platform/web/api.ts';
import { ListFilters } from '#platform/web/components/list-filters.tsx';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { Toolbar } from '#platform/web/components/page.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Campaign, type CampaignRecipient, type CampaignReport, sendAgain } from '../../contract.ts';
import { recipientActs, recipientStates } from '../../rules/campaign.ts';
import { linkClicks } from '../../rules/link-clicks.ts';
import { actLabels, stateLabels } from '../campaign-words.ts';
import { campaignSearch } from '../campaigns-search.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';
import { ExportButton } from './export-button.tsx';
import { recipientColumns, recipientOnPhone } from './recipient-columns.tsx';
import { SendUncertainButton } from './send-uncertain-button.tsx';
import { useRecipients } from './use-recipients.ts';
import { useReport } from './use-report.ts';

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
    description: 'Choose something else, or search for another address.',
  },
};

const fields = [
  {
    key: 'did',
    label: 'Did',
    options: recipientActs.map((value) => ({ value, label: actLabels[value] })),
  },
  {
    key: 'state',
    label: 'State',
    options: recipientStates.map((value) => ({ value, label: stateLabels[value] })),
  },
] as const;

/** What no longer narrows the list once something else does. */
const without = ({ did, link }: { did?: unknown; link?: unknown }) => ({
  ...(did ? { link: undefined } : {}),
  ...(link ? { did: undefined } : {}),
});

/** The addresses that were followed, and the one that is asked for. */
const linkField = (report: CampaignReport | undefined, chosen: string | undefined) => {
  const followed = linkClicks(report?.links ?? [], true).filter(({ clicks }) => clicks > 0);
  const urls = new Set([...followed.map(({ url }) => url), ...(chosen ? [chosen] : [])]);
  return {
    key: 'link',
    label: 'Followed',
    options: [...urls].map((value) => ({ value, label: value.replace(/^https?:\/\//, '') })),
  } as const;
};

/** Everybody whom a campaign goes to, what became of each, and what they did. */
export function RecipientsCard({ campaign }: { campaign: Campaign }) {
  const { id } = campaign;
  const { data: report } = useReport(campaign);
  const [state, change] = useUrlState(campaignSearch);
  const maySend = useMay('sender');
  const refresh = useRefreshCampaigns();
  const shown = { state: state.state, did: state.did, link: state.link, count: state.count };
  const list = useRecipients(id, { ...shown, search: state.search });
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
          // Who followed a link has clicked: both together would say nothing more.
          change={(patch, options) => change({ ...patch, ...without(patch) }, options)}
          search={{ field: 'search', placeholder: 'Search recipients' }}
          fields={[...fields, linkField(report, state.link)]}
        />
      </Toolbar>
      <ListTable
        list={list}
        words={words}
        columns={recipientColumns}
        phone={recipientOnPhone}
        rowKey={({ id: key }) => key}
        rowLabel={({ address }) => address}
        expectedRows={10}
        card={{
          title: 'Recipients',
          action: (
            <Group gap="xs">
              {maySend && shown.state === 'uncertain' && campaign.uncertain > 0 && (
                <SendUncertainButton campaign={campaign} />
              )}
              <ExportButton id={id} shown={shown} />
            </Group>
          ),
        }}
        isNarrowed={
          shown.state !== undefined ||
          shown.did !== undefined ||
          shown.link !== undefined ||
          state.search !== ''
        }
        {...(maySend && shown.state === 'uncertain'
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
