import { Menu } from '@mantine/core';
import { IconArrowBackUp, IconCertificate } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { needsEditor } from '#features/contacts/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { usePages } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listBasisChanges } from '../contract.ts';
import { changeInWords } from '../rules.ts';
import { basisChangeColumns, changeOnPhone } from './basis-change-columns.tsx';
import { basisChangesSearch } from './basis-changes-search.ts';
import { undoAndTell } from './undo-and-tell.ts';

const pageSize = 20;

const words: ListWords = {
  label: 'Marketing bases set',
  errorTitle: 'The changes could not be loaded',
  errorHint: 'They can still be undone.',
  empty: {
    icon: IconCertificate,
    title: 'No marketing basis was set for many contacts yet',
    description: 'Select contacts in the Email Database and choose “Set the marketing basis”.',
  },
};

/** What was said of many contacts at once, and how to undo it. */
export default function BasisChangesPage() {
  const [{ page }, change] = useUrlState(basisChangesSearch);
  const queryClient = useQueryClient();
  const mayEdit = useMay('editor');
  const list = usePages(
    // When a task that changes contacts ends, this is read again.
    { ...queryOptionsFor(listBasisChanges, { query: { page, limit: pageSize } }), staleTime: 10_000 },
    { page, pageSize, onPage: (next) => change({ page: next }) },
  );
  return (
    <ListPage
      title="Marketing bases set"
      parent={{ label: 'Email Database', to: '/email-database' }}
      purpose="What was said of many contacts at once. It can be undone for 30 days."
      list={list}
      words={words}
      columns={basisChangeColumns}
      phone={changeOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ basis, contacts }) => changeInWords(basis, contacts)}
      expectedRows={5}
      rowMenu={({ id, state }) => (
        <>
          {!mayEdit && <Menu.Label>{needsEditor}</Menu.Label>}
          <Menu.Item
            leftSection={<IconArrowBackUp size={16} stroke={1.6} />}
            disabled={!mayEdit || state !== 'done'}
            onClick={() => void undoAndTell(queryClient, id)}
          >
            Undo
          </Menu.Item>
        </>
      )}
    />
  );
}
