import { Select } from '@mantine/core';
import { IconArrowRight, IconCheck, IconSelector } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { TextButton } from '#platform/web/components/links.tsx';
import { formatCount, formatNumber, formatShare } from '#platform/web/format.ts';
import type { ImportCheck } from '../../contract.ts';
import { freeExtra } from '../../rules/mapping.ts';
import classes from './columns-card.module.css';
import { OtherAddresses } from './other-addresses.tsx';
import {
  isExtra,
  namedExtras,
  ownExtra,
  withAllKept,
  withColumns,
  withEmails,
  withOnlyEmail,
  withoutExtras,
  withTarget,
} from './reading-choice.ts';
import type { Recheck } from './use-check.ts';

interface ColumnsCardProps {
  check: ImportCheck;
  recheck: Recheck;
  stale: boolean;
  locked: boolean;
}

interface Row {
  index: number;
  name: string;
  extraField: string;
  firstValue: string;
  filled: number;
  target: string;
}

const there = { isPending: false, error: null, refetch: () => undefined };

/**
 * The columns found in the file and where each goes: a contact field, an extra field, or nowhere.
 */
export function ColumnsCard({ check, recheck, stale, locked }: ColumnsCardProps) {
  const { targets } = recheck;
  const rows = check.columns.map((column, index) => ({ ...column, index, target: targets[index] ?? 'skip' }));
  const extraOf = useExtras(check, targets);
  const [showsAll, setShowsAll] = useState(false);
  const empty = rows.filter(({ filled, target }) => filled === 0 && target === 'skip');
  const hidden = showsAll || empty.length < fewEmpty ? 0 : empty.length;
  const shown = hidden === 0 ? rows : rows.filter((row) => !empty.includes(row));
  const emails = targets.filter((target) => target === 'email').length;
  const kept = targets.filter((target) => target !== 'skip').length;
  const choose = (index: number, target: string) =>
    recheck.change({ reading: withColumns(recheck, withTarget(targets, index, target)) });
  const goesTo = (row: Row) => (
    <TargetSelect
      row={row}
      extra={extraOf(row)}
      isOnlyEmail={row.target === 'email' && emails === 1}
      locked={locked}
      onChange={(target) => choose(row.index, target)}
    />
  );
  const columns: Column<Row>[] = [
    {
      key: 'name',
      head: 'In the file',
      width: '24%',
      tone: 'strong',
      cell: ({ name }) => <Named>{name}</Named>,
    },
    { key: 'first', head: 'First value', tone: 'dim', cell: ({ firstValue }) => <Named>{firstValue}</Named> },
    {
      key: 'filled',
      head: 'Filled',
      width: 84,
      numeric: true,
      tone: 'dim',
      cell: ({ filled }) => share(filled),
    },
    {
      key: 'arrow',
      head: <span className={classes.hidden}>Leads to</span>,
      width: 40,
      cell: () => <IconArrowRight size={14} stroke={1.6} className={classes.arrow} aria-hidden />,
    },
    { key: 'target', head: 'Goes to', width: 216, cell: goesTo },
  ];
  return (
    <>
      <OtherAddresses
        columns={check.columns}
        targets={targets}
        addresses={recheck.addresses}
        locked={locked}
        onUse={(index) => recheck.change({ reading: withColumns(recheck, withOnlyEmail(targets, index)) })}
        onUseAll={(indexes, addresses) =>
          recheck.change({ reading: withColumns(recheck, withEmails(targets, indexes), addresses) })
        }
      />
      <Card
        title="Columns"
        hint={`${formatNumber(rows.length)} found, ${formatNumber(kept)} will be kept`}
        flush
        {...(!locked && { action: <KeepAll check={check} recheck={recheck} /> })}
      >
        <DataTable
          label="Columns"
          place="group"
          columns={columns}
          rows={shown}
          rowKey={({ index }) => index}
          rowLabel={({ name }) => name}
          state={{ ...there, isPlaceholderData: stale }}
          errorTitle="The columns could not be shown"
          empty={null}
          phone={(row) => ({
            title: <span className={classes.phoneHead}>{row.name}</span>,
            aside: <span className={classes.phoneHead}>{share(row.filled)}</span>,
            second: <span className={classes.phone}>{goesTo(row)}</span>,
          })}
        />
        {hidden > 0 && (
          <p className={classes.more}>
            {formatCount(hidden, 'column')} more, empty in the rows looked at.{' '}
            <TextButton onClick={() => setShowsAll(true)}>Show them</TextButton>
          </p>
        )}
      </Card>
    </>
  );
}

/** The extra field that a column goes to, or could go to beside the others. */
function useExtras({ columns }: ImportCheck, targets: readonly string[]) {
  const named = useMemo(() => namedExtras(columns), [columns]);
  const taken = new Set(targets);
  return (row: Row) => (isExtra(row.target) ? row.target : freeExtra(ownExtra(row), taken, named));
}

/** Keeps every column that has something in it, or none beside the contact's fields. */
function KeepAll({ check, recheck }: { check: ImportCheck; recheck: Recheck }) {
  const { targets } = recheck;
  const all = withAllKept(targets, check.columns);
  const keep = (columns: string[]) => recheck.change({ reading: withColumns(recheck, columns) });
  if (all.some((target, at) => target !== targets[at]))
    return <TextButton onClick={() => keep(all)}>Keep all</TextButton>;
  return targets.some(isExtra) ? (
    <TextButton onClick={() => keep(withoutExtras(targets))}>Keep no extra field</TextButton>
  ) : null;
}

/** Fewer empty columns than this are shown like the others. */
const fewEmpty = 3;

const share = (filled: number): string => formatShare(Math.round(filled * 1000), 1000);

function Named({ children }: { children: string }) {
  return <span title={children}>{children}</span>;
}

const fields = [
  { value: 'email', label: 'Email' },
  { value: 'name', label: 'Name' },
  { value: 'firstName', label: 'First name' },
  { value: 'lastName', label: 'Last name' },
  { value: 'source', label: 'Source' },
  { value: 'date', label: 'Date' },
  { value: 'notes', label: 'Notes' },
  { value: 'basis', label: 'Marketing basis' },
  { value: 'basisSource', label: 'Source of the basis' },
  { value: 'basisDate', label: 'Day of the basis' },
];

interface TargetSelectProps {
  row: Row;
  /** The extra field that it has or may have. */
  extra: string;
  isOnlyEmail: boolean;
  locked: boolean;
  onChange: (target: string) => void;
}

/** The only email column keeps its target until Email is chosen for another column. */
function TargetSelect({ row: { name, target }, extra, isOnlyEmail, locked, onChange }: TargetSelectProps) {
  const email = target === 'email';
  const data = [
    ...fields,
    { value: extra, label: `Extra field: ${extra.slice('extra:'.length)}` },
    { value: 'doNotMail', label: 'Do not mail' },
    { value: 'skip', label: 'Leave out' },
  ].map((option) => ({ ...option, disabled: isOnlyEmail && option.value !== 'email' }));
  return (
    <Select
      size="xs"
      className={classes.select}
      aria-label={`${name} goes to`}
      data={data}
      value={target}
      disabled={locked}
      {...(email && { leftSection: <IconCheck size={14} stroke={2} className={classes.tick} /> })}
      {...(isOnlyEmail && { title: 'To use another column, choose Email there.' })}
      rightSection={<IconSelector size={14} stroke={1.6} />}
      onChange={(value) => value !== null && onChange(value)}
    />
  );
}
