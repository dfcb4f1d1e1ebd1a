import { IconTrash } from '@tabler/icons-react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { usePages } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listRemovals, type Removal } from '../contract.ts';
import { binColumns, narrowBinColumns, removalOnPhone } from './bin-columns.tsx';
import { binSearch } from './bin-search.ts';
import { whatWas } from './bin-words.ts';
import { RemovalMenu } from './removal-menu.tsx';
import { RemovalPanel } from './removal-panel.tsx';
import { useUndoOf } from './use-undo.ts';

const pageSize = 20;

const words: ListWords = {
  label: 'Removals',
  errorTitle: 'The bin could not be loaded',
  errorHint: 'What is in it is safe.',
  empty: {
    icon: IconTrash,
    title: 'The bin is empty',
    description:
      'Contacts that are deleted or cleaned away come here first, so that they can be brought back.',
  },
};

/** The bin: what was removed, when, by whom and why, and how to restore it. */
export default function BinPage() {
  const [{ page, removal: openId, search }, change] = useUrlState(binSearch);
  const list = usePages(
    // When a task that removes contacts ends, this is read again.
    { ...queryOptionsFor(listRemovals, { query: { page, limit: pageSize } }), staleTime: 10_000 },
    { page, pageSize, onPage: (next) => change({ page: next }) },
  );
  const mayEdit = useMay('editor');
  const undoOf = useUndoOf();
  const restore = (removal: Removal) => undoOf(removal.id)?.onClick();
  return (
    <ListPage
      title="Bin"
      parent={{ label: 'Email Database', to: '/email-database' }}
      purpose="What was removed stays here for a while and can be brought back."
      list={list}
      words={words}
      columns={openId === undefined ? binColumns : narrowBinColumns}
      phone={removalOnPhone}
      rowKey={({ id }) => id}
      rowLabel={(removal) => `${whatWas(removal)}, ${formatCount(removal.contacts, 'contact')}`}
      expectedRows={5}
      onOpen={({ id }) => change({ removal: id, search: '' })}
      openKey={openId}
      rowMenu={(removal) => <RemovalMenu removal={removal} mayEdit={mayEdit} onRestore={restore} />}
    >
      <RemovalPanel
        removal={list.rows?.find(({ id }) => id === openId)}
        search={search}
        onSearch={(text) => change({ search: text }, { replace: true })}
        onClose={() => change({ removal: undefined, search: '' })}
        onRestore={mayEdit ? restore : undefined}
      />
    </ListPage>
  );
}
