import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise } from '#platform/web/format.ts';
import { type ListPlace, usePages } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AdminImport, listAdminImports, type TaskView } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { importNote } from './words.ts';
import { workTable } from './work-table.tsx';

const pageSize = 10;

/** Imports of all workspaces, in the same states as the tasks above them. */
export function ImportsList() {
  const [{ view, importsPage: page }, change] = useUrlState(adminSearch);
  const options = queryOptionsFor(listAdminImports, { query: { view, page, limit: pageSize } });
  const place = { page, pageSize, onPage: (next: number) => change({ importsPage: next }) };
  const { data, rows, state } = usePages({ ...options, refetchInterval: 5_000 }, place);
  return (
    <ListTable
      {...table}
      card={{ title: 'Imports' }}
      list={{ rows, state }}
      words={wordsFor(view)}
      expectedRows={3}
      foot={data && data.totalCount > pageSize && <Steps {...place} total={data.totalCount} />}
    />
  );
}

/** A page newer or older. The screen's numbered pages belong to the tasks. */
const Steps = ({ page, total, onPage }: ListPlace & { total: number }) => (
  <div className={classes.pages}>
    <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
      Newer imports
    </Button>
    <Button size="xs" variant="default" disabled={page * pageSize >= total} onClick={() => onPage(page + 1)}>
      Older imports
    </Button>
  </div>
);

const nothing: Record<TaskView, string> = {
  failed: 'No import has failed',
  open: 'No import runs',
  all: 'No imports yet',
};

const wordsFor = (view: TaskView): ListWords => ({
  label: 'Imports',
  errorTitle: 'The imports could not be loaded',
  empty: {
    icon: IconFileImport,
    title: nothing[view],
    description: 'Files that people of every workspace import show here, with the sentence they failed with.',
  },
});

const table = workTable<AdminImport>({
  head: 'Import',
  titleOf: ({ fileName }) => fileName,
  startedBy: ({ startedBy }) => startedBy ?? '',
  badgeOf: ({ status }) => (
    <StatusBadge
      status={status}
      label={capitalise(status)}
      tone={status === 'running' ? 'primary' : status === 'failed' ? 'error' : 'success'}
    />
  ),
  noteOf: importNote,
});
