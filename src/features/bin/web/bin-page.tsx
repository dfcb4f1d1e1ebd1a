import { Menu } from '@mantine/core';
import { IconDownload, IconRestore, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { addressOf, queryOptionsFor } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber, formatShortDate } from '#platform/web/format.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom } from '#platform/web/transfer.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listRemovals, type Removal, removalReceipt } from '../contract.ts';
import { binSearch } from './bin-search.ts';
import { stateLabels, whatWas, whyWas } from './bin-words.ts';
import { RemovalPanel } from './removal-panel.tsx';
import { useUndoOf } from './use-undo.ts';

const pageSize = 20;

/** The bin: what was removed, when, by whom and why, and the way back. */
export default function BinPage() {
  const [{ page, removal: openId, search }, change] = useUrlState(binSearch);
  const query = useQuery({
    ...queryOptionsFor(listRemovals, { query: { page, limit: pageSize } }),
    // What a task removes meanwhile is told by its end.
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
  const mayEdit = useMay('editor');
  const undoOf = useUndoOf();
  const restore = (removal: Removal) => undoOf(removal.id)?.onClick();
  const items = query.data?.items;
  return (
    <Page
      title="Bin"
      parent={{ label: 'Email Database', to: '/email-database' }}
      purpose="What was removed stays here for a while and can be brought back."
    >
      <DataTable
        label="Removals"
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        rowLabel={(removal) => `${whatWas(removal)}, ${formatCount(removal.contacts, 'contact')}`}
        state={query}
        expectedRows={5}
        errorTitle="The bin could not be loaded"
        errorHint="What is in it is safe."
        onOpen={({ id }) => change({ removal: id, search: '' })}
        openKey={openId}
        empty={
          <EmptyState
            icon={IconTrash}
            title="The bin is empty"
            description="Contacts that are deleted or cleaned away come here first, so that they can be brought back."
          />
        }
        phone={(removal) => ({
          title: `${whatWas(removal)}, ${formatNumber(removal.contacts)}`,
          aside: formatShortDate(removal.createdAt),
          second: [stateLabels[removal.state], whyWas(removal)].filter(Boolean).join(' · '),
        })}
        rowMenu={(removal) => <RemovalMenu removal={removal} mayEdit={mayEdit} onRestore={restore} />}
      />
      <RemovalPanel
        removal={items?.find(({ id }) => id === openId)}
        search={search}
        onSearch={(text) => change({ search: text }, { replace: true })}
        onClose={() => change({ removal: undefined, search: '' })}
        onRestore={mayEdit ? restore : undefined}
      />
      <TableFooter
        page={page}
        pageSize={pageSize}
        total={query.data?.totalCount}
        onPage={(next) => change({ page: next })}
      />
    </Page>
  );
}

function RemovalMenu({
  removal,
  mayEdit,
  onRestore,
}: {
  removal: Removal;
  mayEdit: boolean;
  onRestore: (removal: Removal) => void;
}) {
  const inBin = removal.state === 'in-bin';
  return (
    <>
      {mayEdit && (
        <Menu.Item
          leftSection={<IconRestore size={16} stroke={1.6} />}
          disabled={!inBin}
          onClick={() => onRestore(removal)}
        >
          Restore
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconDownload size={16} stroke={1.6} />}
        disabled={!inBin}
        onClick={() => void downloadReceipt(removal.id)}
      >
        Download as CSV
      </Menu.Item>
    </>
  );
}

async function downloadReceipt(id: number): Promise<void> {
  try {
    await downloadFrom(addressOf(removalReceipt, { params: { id } }), `removed-${id}.csv`);
  } catch {
    toastFailed({ title: 'Error', message: 'The file could not be downloaded. Please try again.' });
  }
}

const columns: Column<Removal>[] = [
  { key: 'what', head: 'What', width: 144, tone: 'strong', cell: whatWas },
  {
    key: 'contacts',
    head: 'Contacts',
    width: 104,
    numeric: true,
    cell: ({ contacts }) => formatNumber(contacts),
  },
  {
    key: 'why',
    head: 'Why',
    tone: 'dim',
    cell: (removal) => <span title={whyWas(removal)}>{whyWas(removal)}</span>,
  },
  {
    key: 'who',
    head: 'Who',
    width: '20%',
    tone: 'dim',
    cell: ({ removedBy }) => removedBy && <AddressText address={removedBy} />,
  },
  {
    key: 'when',
    head: 'When',
    width: 96,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
  {
    key: 'expires',
    head: 'Kept until',
    width: 112,
    tone: 'dim',
    cell: ({ expiresAt, state }) => (state === 'in-bin' ? <DateText value={expiresAt} /> : ''),
  },
  {
    key: 'state',
    head: 'State',
    width: 128,
    cell: ({ state }) => (
      <StatusBadge
        status={state}
        label={stateLabels[state]}
        tone={state === 'restored' ? 'success' : state === 'removing' ? 'primary' : 'neutral'}
      />
    ),
  },
];
