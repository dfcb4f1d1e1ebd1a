import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise } from '#platform/web/format.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AdminImport, listAdminImports } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { importNote } from './words.ts';

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
        columns={columns}
        rows={query.data?.items}
        rowKey={({ workspace, id }) => `${workspace.id}/${id}`}
        rowLabel={({ fileName }) => fileName}
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
        phone={(one) => ({
          title: one.fileName,
          aside: badgeOf(one),
          second: importNote(one) || one.workspace.name,
        })}
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

const titled = (text: string) => <span title={text}>{text}</span>;
const badgeOf = ({ status }: AdminImport) => (
  <StatusBadge
    status={status}
    label={capitalise(status)}
    tone={status === 'running' ? 'primary' : status === 'failed' ? 'error' : 'success'}
  />
);

const columns: Column<AdminImport>[] = [
  { key: 'fileName', head: 'Import', cell: ({ fileName }) => titled(fileName), tone: 'strong' },
  { key: 'workspace', head: 'Workspace', cell: ({ workspace }) => titled(workspace.name), width: '16%' },
  { key: 'startedBy', head: 'Started by', cell: ({ startedBy }) => titled(startedBy ?? ''), width: '13%' },
  { key: 'status', head: 'Status', cell: badgeOf, width: 120, skeleton: 64 },
  {
    key: 'note',
    head: 'Progress',
    cell: (one) => titled(importNote(one)),
    width: '28%',
    tone: 'dim',
  },
  {
    key: 'createdAt',
    head: 'Begun',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
    width: 84,
    numeric: true,
    tone: 'dim',
  },
];
