import { Menu, Progress } from '@mantine/core';
import { IconArrowBackUp, IconDownload, IconEye, IconFileImport } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { FateBar } from '#platform/web/components/fate-bar.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge, WordBadge } from '#platform/web/components/status-badge.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatNumber, formatShortDate } from '#platform/web/format.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import type { ImportRecord } from '../contract.ts';
import { downloadReceipt, importsQuery, isBusy, pageSize } from './api.ts';
import { barPercent, useImportWatch } from './import-watch.ts';
import { noReason } from './import-words.ts';
import classes from './recent-imports.module.css';
import { UndoDialog } from './undo-dialog.tsx';

interface RecentImportsProps {
  page?: number;
  /** Shows the footer with the pages. */
  onPage?: (page: number) => void;
  /** On another screen: only the newest, with a link to all. */
  newest?: number;
}

/** Recent Imports: what was brought in, when, by whom, and what became of the rows. */
export function RecentImports({ page = 1, onPage, newest }: RecentImportsProps) {
  const query = useQuery({ ...importsQuery(page), placeholderData: keepPreviousData });
  const [undoing, setUndoing] = useState<ImportRecord | null>(null);
  const mayImport = useMay('editor');
  const navigate = useNavigate();
  const open = ({ id }: ImportRecord) => void navigate({ to: `/imports/${id}` });
  const total = query.data?.totalCount ?? 0;
  return (
    <Card
      title="Recent Imports"
      flush
      {...(newest === undefined ? {} : { action: <TextLink to="/imports">View all</TextLink> })}
    >
      <DataTable
        label="Recent Imports"
        place="group"
        columns={columns}
        rows={newest === undefined ? query.data?.items : query.data?.items.slice(0, newest)}
        rowKey={({ id }) => id}
        rowLabel={({ fileName }) => fileName}
        state={query}
        expectedRows={newest ?? 5}
        errorTitle="The imports could not be loaded"
        errorHint="What has been imported is safe."
        onOpen={open}
        empty={
          <EmptyState
            icon={IconFileImport}
            title="No imports yet"
            description="Choose a CSV above. Each import is kept here with its receipt, and can be undone."
          />
        }
        phone={(record) => ({
          title: record.fileName,
          aside: formatShortDate(record.createdAt),
          second: <PhoneLine record={record} />,
        })}
        rowMenu={(record) => (
          <ImportMenu record={record} mayImport={mayImport} onOpen={open} onUndo={setUndoing} />
        )}
      />
      {onPage && total > pageSize && (
        <div className={classes.footer}>
          <TableFooter page={page} pageSize={pageSize} total={total} onPage={onPage} />
        </div>
      )}
      <UndoDialog record={undoing} onClose={() => setUndoing(null)} />
    </Card>
  );
}

const columns: Column<ImportRecord>[] = [
  {
    key: 'file',
    head: 'File',
    tone: 'strong',
    cell: ({ fileName }) => <span title={fileName}>{fileName}</span>,
  },
  {
    key: 'when',
    head: 'When',
    width: 104,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
  { key: 'who', head: 'Who', width: 132, tone: 'dim', cell: ({ createdBy }) => createdBy ?? '' },
  {
    key: 'rows',
    head: 'Rows',
    width: 96,
    numeric: true,
    cell: ({ rows, status }) => (rows === null || status === 'failed' ? '' : formatNumber(rows)),
  },
  {
    key: 'imported',
    head: 'Imported',
    width: 96,
    numeric: true,
    cell: ({ results }) => (results ? formatNumber(results.imported) : ''),
  },
  {
    key: 'fate',
    head: 'What became of the rows',
    width: '32%',
    cell: (record) => <Outcome record={record} />,
  },
  { key: 'status', head: 'Status', width: 124, cell: (record) => <Status record={record} /> },
];

function Outcome({ record }: { record: ImportRecord }) {
  const watch = useImportWatch(record.id);
  if (record.status === 'failed') {
    const reason = record.error || noReason;
    return (
      <span className={classes.reason} title={reason}>
        {reason}
      </span>
    );
  }
  if (record.results) return <FateBar counts={record.results} compact />;
  const percent = barPercent(watch?.progress?.share ?? 0, false);
  return (
    <Progress
      value={percent}
      size={8}
      radius="sm"
      aria-label={`${record.fileName}: ${Math.floor(percent)}%`}
    />
  );
}

/** Completed, failed, and anything else as processing. An undone import says so instead of "Completed". */
function Status({ record }: { record: ImportRecord }) {
  if (record.undoneAt !== null) return <WordBadge>Undone</WordBadge>;
  const known = record.status === 'completed' || record.status === 'failed';
  return <StatusBadge status={known ? record.status : 'processing'} />;
}

function PhoneLine({ record }: { record: ImportRecord }) {
  return (
    <span className={classes.phone}>
      <span className={classes.phoneFacts}>
        {record.status === 'failed'
          ? record.error || noReason
          : record.results
            ? `${formatNumber(record.results.imported)} of ${formatNumber(record.rows ?? 0)} imported`
            : 'Being imported'}
      </span>
      <Status record={record} />
    </span>
  );
}

interface ImportMenuProps {
  record: ImportRecord;
  mayImport: boolean;
  onOpen: (record: ImportRecord) => void;
  onUndo: (record: ImportRecord) => void;
}

function ImportMenu({ record, mayImport, onOpen, onUndo }: ImportMenuProps) {
  return (
    <>
      <Menu.Item leftSection={<IconEye size={16} stroke={1.6} />} onClick={() => onOpen(record)}>
        {isBusy(record) ? 'Show progress' : 'Open'}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDownload size={16} stroke={1.6} />}
        disabled={!record.hasReceipt}
        onClick={() => void saveReceipt(record)}
      >
        Download receipt
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowBackUp size={16} stroke={1.6} />}
        disabled={!record.canUndo || !mayImport}
        {...(mayImport ? {} : { title: 'Undoing an import needs the editor role' })}
        {...(record.canUndo && mayImport ? { 'data-danger': true } : {})}
        onClick={() => onUndo(record)}
      >
        Undo import
      </Menu.Item>
    </>
  );
}

/** Downloads the receipt, and says so when that fails. */
export const saveReceipt = (record: Pick<ImportRecord, 'id' | 'fileName'>): Promise<void> =>
  downloadReceipt(record).catch((error: unknown) =>
    toastFailed({ title: 'Error', message: words(error, 'The receipt could not be downloaded.') }),
  );
