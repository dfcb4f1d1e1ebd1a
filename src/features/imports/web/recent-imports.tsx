import { IconFileImport } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { TextLink } from '#platform/web/components/links.tsx';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { usePages } from '#platform/web/list.ts';
import type { ImportRecord } from '../contract.ts';
import { importsQuery, pageSize } from './api.ts';
import { importColumns, importOnPhone } from './import-columns.tsx';
import { ImportMenu } from './import-menu.tsx';
import classes from './recent-imports.module.css';
import { UndoDialog } from './undo-dialog.tsx';

interface RecentImportsProps {
  page?: number;
  /** Shows the footer with the pages. */
  onPage?: (page: number) => void;
  /** On another screen: only the newest, with a link to all. */
  newest?: number;
}

const words: ListWords = {
  label: 'Recent Imports',
  errorTitle: 'The imports could not be loaded',
  errorHint: 'What has been imported is safe.',
  empty: {
    icon: IconFileImport,
    title: 'No imports yet',
    description: 'Choose a CSV above. Each import is kept here with its receipt, and can be undone.',
  },
};

/** Recent Imports: the files, when, by whom, and what happened to the rows. */
export function RecentImports({ page = 1, onPage = () => {}, newest }: RecentImportsProps) {
  const { data, rows, state, pages } = usePages(importsQuery(page), { page, pageSize, onPage });
  const [undoing, setUndoing] = useState<ImportRecord | null>(null);
  const mayImport = useMay('editor');
  const navigate = useNavigate();
  const open = ({ id }: ImportRecord) => void navigate({ to: `/imports/${id}` });
  const hasPages = newest === undefined && (data?.totalCount ?? 0) > pageSize;
  return (
    <>
      <ListTable
        card={{
          title: 'Recent Imports',
          ...(newest === undefined ? {} : { action: <TextLink to="/imports">View all</TextLink> }),
        }}
        list={{ rows: rows?.slice(0, newest), state }}
        words={words}
        columns={importColumns}
        phone={importOnPhone}
        rowKey={({ id }) => id}
        rowLabel={({ fileName }) => fileName}
        expectedRows={newest ?? 5}
        onOpen={open}
        rowMenu={(record) => (
          <ImportMenu record={record} mayImport={mayImport} onOpen={open} onUndo={setUndoing} />
        )}
        foot={
          hasPages &&
          pages && (
            <div className={classes.footer}>
              <TableFooter {...pages} />
            </div>
          )
        }
      />
      <UndoDialog record={undoing} onClose={() => setUndoing(null)} />
    </>
  );
}
