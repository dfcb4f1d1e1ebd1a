import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise } from '#platform/web/format.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AdminImport, listAdminImports } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { importNote } from './words.ts';
import { workTable } from './work-table.tsx';

const pageSize = 10;

/** Imports of all workspaces, in the same states as the tasks above them. */
export function ImportsList() {
  const [{ view, importsPage }, change] = useUrlState(adminSearch);
  const query = useQuery({
    ...queryOptionsFor(listAdminImports, { query: { view, page: importsPage, limit: pageSize } }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  return (
    <Card flush title="Imports">
      <DataTable
        place="group"
        label="Imports"
        {...table}
        rows={query.data?.items}
        state={query}
        expectedRows={3}
        errorTitle="The imports could not be loaded"
        empty={
          <EmptyState
            icon={IconFileImport}
            title={
              view === 'failed'
                ? 'No import has failed'
                : view === 'open'
                  ? 'No import runs'
                  : 'No imports yet'
            }
            description="Files that people of every workspace import show here, with the sentence they failed with."
          />
        }
      />
      {query.data && query.data.totalCount > pageSize && (
        <div className={classes.pages}>
          <Button
            size="xs"
            variant="default"
            disabled={importsPage <= 1}
            onClick={() => change({ importsPage: importsPage - 1 })}
          >
            Newer imports
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={importsPage * pageSize >= query.data.totalCount}
            onClick={() => change({ importsPage: importsPage + 1 })}
          >
            Older imports
          </Button>
        </div>
      )}
    </Card>
  );
}

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
