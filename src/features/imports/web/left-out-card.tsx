import { Tabs } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { FateText } from '#platform/web/components/fate-bar.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatNumber } from '#platform/web/format.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Fate, type FateCounts, type LeftOutRow, listRejectedRows } from '../contract.ts';
import type { OneImport } from './api.ts';
import { saveReceipt } from './import-menu.tsx';
import { importSearch, leftOutTabs } from './import-search.ts';
import classes from './left-out-card.module.css';
import { LeftOutRowText } from './left-out-row.tsx';
import { LineForm } from './line-form.tsx';

/** The key of each fate's count. */
export const countKey: Record<Fate, keyof FateCounts> = {
  imported: 'imported',
  duplicate: 'duplicates',
  invalid: 'invalid',
  nonUk: 'nonUk',
  suppressed: 'suppressed',
};

const tabLabels: Record<(typeof leftOutTabs)[number], string> = {
  all: 'All',
  duplicate: 'Duplicates',
  invalid: 'Invalid',
  nonUk: 'Non-UK',
  suppressed: 'Suppressed',
};

const first = 10;
/** As many of each fate as are kept beside the receipt. */
const kept = 200;

/** The rows left out: the first of each fate with its reason. The receipt has all of them. */
export function LeftOutCard({ record, counts }: { record: OneImport; counts: FateCounts }) {
  const [{ rows: tab, line }, change] = useUrlState(importSearch);
  const total = counts.duplicates + counts.invalid + counts.nonUk + counts.suppressed;
  const [more, setMore] = useState(false);
  const shown = more ? kept : first;
  const ofTab = tab === 'all' ? total : counts[countKey[tab]];
  const query = useQuery({
    ...queryOptionsFor(listRejectedRows, {
      params: { id: record.id },
      query: {
        limit: line === undefined ? shown : kept,
        ...(tab === 'all' ? {} : { fate: tab }),
        ...(line === undefined ? {} : { line }),
      },
    }),
    placeholderData: keepPreviousData,
    enabled: total > 0,
  });
  if (total === 0) {
    return (
      <Card title="Rows left out">
        <EmptyState
          icon={IconCircleCheck}
          title="No row was left out"
          description="Every row of the file was imported."
        />
      </Card>
    );
  }
  return (
    <Card
      title="Rows left out"
      flush
      {...(record.hasReceipt && {
        action: (
          <TextButton onClick={() => void saveReceipt(record)}>Download all {formatNumber(total)}</TextButton>
        ),
      })}
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          change({ rows: leftOutTabs.find((one) => one === next) ?? 'all', line: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>
          {leftOutTabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {tabLabels[one]}{' '}
              <span className={classes.count}>
                {formatNumber(one === 'all' ? total : counts[countKey[one]])}
              </span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <LeftOutTable
            record={record}
            query={query}
            expectedRows={line === undefined ? Math.min(ofTab, first) : 1}
            empty={line === undefined ? noneOf(tab) : noneOfLine(line)}
          />
          {line === undefined && ofTab > shown && (
            <p className={classes.more}>
              The first {formatNumber(Math.min(shown, query.data?.items.length ?? shown))} of{' '}
              {formatNumber(ofTab)}. The receipt has them all.{' '}
              {!more && <TextButton onClick={() => setMore(true)}>Show more</TextButton>}
            </p>
          )}
          {total > kept && (
            <LineForm key={line} line={line} onLine={(next) => change({ rows: 'all', line: next })} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Card>
  );
}

const noneOf = (tab: (typeof leftOutTabs)[number]): Empty => ({
  title: `None ${tab === 'duplicate' ? 'was a duplicate' : `was ${tabLabels[tab].toLowerCase()}`}`,
  description: 'No row was left out for this reason.',
});

const noneOfLine = (line: number): Empty => ({
  title: `Nothing of line ${formatNumber(line)}`,
  description: 'None of its rows was left out, or the receipt is not kept any more.',
});

interface Empty {
  title: string;
  description: string;
}

interface LeftOutTableProps {
  record: OneImport;
  query: UseQueryResult<{ items: LeftOutRow[] }>;
  expectedRows: number;
  /** What is said where there is no row. */
  empty: Empty;
}

function LeftOutTable({ record, query, expectedRows, empty }: LeftOutTableProps) {
  const mayCorrect = useMay('editor') && record.undoneAt === null;
  return (
    <DataTable
      label="Rows left out"
      place="group"
      columns={columnsFor(record.id, mayCorrect)}
      rows={query.data?.items}
      rowKey={({ line, part }: LeftOutRow) => `${line} ${part}`}
      rowLabel={({ line }) => `line ${line}`}
      state={query}
      expectedRows={expectedRows}
      errorTitle="The rows could not be loaded"
      errorHint="The receipt has them all."
      empty={<EmptyState icon={IconCircleCheck} {...empty} />}
      phone={(row) => ({
        title: <LeftOutRowText importId={record.id} row={row} mayCorrect={mayCorrect} />,
        aside: formatNumber(row.line),
        second: <FateText fate={countKey[row.fate]}>{row.why}</FateText>,
      })}
    />
  );
}

const columnsFor = (importId: number, mayCorrect: boolean): Column<LeftOutRow>[] => [
  { key: 'line', head: 'Line', width: 88, tone: 'dim', cell: ({ line }) => formatNumber(line) },
  {
    key: 'text',
    head: 'As it stands in the file',
    cell: (row) => <LeftOutRowText importId={importId} row={row} mayCorrect={mayCorrect} />,
  },
  { key: 'fate', head: 'Fate', width: 132, cell: ({ fate }) => <FateText fate={countKey[fate]} /> },
  { key: 'why', head: 'Why', width: '38%', tone: 'dim', cell: ({ why }) => <span title={why}>{why}</span> },
];
