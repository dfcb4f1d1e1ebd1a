import { Menu } from '@mantine/core';
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { needsEditor } from '#features/contacts/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { usePages } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listFieldChanges } from '../contract.ts';
import { changeInWords } from '../rules.ts';
import { changeOnPhone, fieldChangeColumns } from './field-change-columns.tsx';
import { fieldChangesSearch } from './field-changes-search.ts';
import { undoAndTell } from './undo-and-tell.ts';

const pageSize = 20;

const words: ListWords = {
  label: 'Changed fields',
  errorTitle: 'The changes could not be loaded',
  errorHint: 'They can still be undone.',
  empty: {
    icon: IconPencil,
    title: 'No field was set for many contacts yet',
    description:
      'Select contacts in the Email Database and choose “Set a field”. What was set is listed here for 30 days, so that it can be undone.',
  },
};

/** What was set in fields of many contacts, and how to undo it. */
export default function FieldChangesPage() {
  const [{ page }, change] = useUrlState(fieldChangesSearch);
  const queryClient = useQueryClient();
  const mayEdit = useMay('editor');
  const list = usePages(
    // When a task that changes contacts ends, this is read again.
    { ...queryOptionsFor(listFieldChanges, { query: { page, limit: pageSize } }), staleTime: 10_000 },
    { page, pageSize, onPage: (next) => change({ page: next }) },
  );
  return (
    <ListPage
      title="Changed fields"
      parent={{ label: 'Email Database', to: '/email-database' }}
      purpose="What was set for many contacts at once can be undone for 30 days."
      list={list}
      words={words}
      columns={fieldChangeColumns}
      phone={changeOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ what, contacts }) => changeInWords(what, contacts)}
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
