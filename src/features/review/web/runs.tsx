import { IconShieldCheck } from '@tabler/icons-react';
import { listVerifications, type VerificationRun } from '#features/verification/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { formatNumber, formatWhen } from '#platform/web/format.ts';
import { usePages } from '#platform/web/list.ts';
import { OneRun } from './one-run.tsx';
import { Pages, type TabProps } from './review-list.tsx';
import { verdictSegments } from './segments.ts';

const pageSize = 20;

const columns: Column<VerificationRun>[] = [
  { key: 'when', head: 'When', cell: (run) => <DateText value={run.finishedAt} />, width: 120 },
  {
    key: 'what',
    head: 'Contacts',
    cell: (run) => formatNumber(run.result.contacts),
    numeric: true,
    width: 110,
  },
  {
    key: 'verdicts',
    head: 'Verdicts',
    cell: (run) => (
      <SegmentBar label="Verdicts" legend="none" height={8} segments={verdictSegments(run.result.verdicts)} />
    ),
  },
  {
    key: 'scope',
    head: 'Which',
    cell: (run) => (run.whole ? 'All contacts' : 'A selection'),
    width: 120,
    tone: 'dim',
  },
  { key: 'by', head: 'By', cell: (run) => run.startedBy, width: '22%', tone: 'dim' },
];

const words: ListWords = {
  label: 'Verifications',
  errorTitle: 'The verifications could not be loaded',
  empty: {
    icon: IconShieldCheck,
    title: 'Nothing was verified yet',
    description:
      'A verification looks at every address: whether it can take mail, and whether it is worth mailing.',
  },
};

/** Ended verifications. Each opens its result. */
export function Runs({ state, change }: Omit<TabProps, 'mayEdit'>) {
  const { page, run } = state;
  const list = usePages(queryOptionsFor(listVerifications, { query: { page, limit: pageSize } }), {
    page,
    pageSize,
    onPage: (next) => change({ page: next }),
  });
  return (
    <>
      {run !== undefined && <OneRun id={run} onClose={() => change({ run: undefined, tab: 'runs' })} />}
      <ListTable
        card={{ title: 'Verifications' }}
        list={{ rows: list.rows, state: list.state }}
        words={words}
        columns={columns}
        phone={(one) => ({
          title: `${formatNumber(one.result.contacts)} contacts`,
          aside: <DateText value={one.finishedAt} />,
          second: one.whole ? 'All contacts' : 'A selection',
        })}
        rowKey={({ id }) => id}
        rowLabel={(one) => `Verification of ${formatWhen(one.finishedAt)}`}
        onOpen={({ id }) => change({ run: id })}
        openKey={run}
      />
      <Pages total={list.data?.totalCount} page={page} pageSize={pageSize} change={change} />
    </>
  );
}
