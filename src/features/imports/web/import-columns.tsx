import { Progress } from '@mantine/core';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { FateBar } from '#platform/web/components/fate-bar.tsx';
import { StatusBadge, WordBadge } from '#platform/web/components/status-badge.tsx';
import { formatNumber, formatShortDate } from '#platform/web/format.ts';
import type { ImportRecord } from '../contract.ts';
import { barPercent, useImportWatch } from './import-watch.ts';
import { importedAt, noReason } from './import-words.ts';
import classes from './recent-imports.module.css';

export const importColumns: Column<ImportRecord>[] = [
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
    cell: (record) => <DateText value={importedAt(record)} />,
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

/**
 * Completed, failed, or processing for anything else. An undone import says "Undone" instead of
 * "Completed", or "Partly restored" or "Restored" once some or all of what it had added is back.
 */
function Status({ record }: { record: ImportRecord }) {
  if (record.restoredAt !== null) return <WordBadge>Restored</WordBadge>;
  if (record.restored && record.restored.contacts > 0) return <WordBadge>Partly restored</WordBadge>;
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

export const importOnPhone = (record: ImportRecord): PhoneRow => ({
  title: record.fileName,
  aside: formatShortDate(importedAt(record)),
  second: <PhoneLine record={record} />,
});
