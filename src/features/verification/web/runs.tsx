import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { kindLabels, reasonLabels, verdictLabels } from '#features/contacts/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { EmptyState, ErrorState } from '#platform/web/components/states.tsx';
import { formatNumber, formatWhen } from '#platform/web/format.ts';
import { getVerification, listVerifications, type VerificationRun } from '../contract.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import classes from './review.module.css';
import { Pages, type TabProps } from './review-list.tsx';
import { ukSegments, verdictSegments } from './segments.ts';

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

/** Verifications that have ended; each opens its result. */
export function Runs({ state, change }: Omit<TabProps, 'mayEdit'>) {
  const { page, run } = state;
  const query = useQuery({
    ...queryOptionsFor(listVerifications, { query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {run !== undefined && <OneRun id={run} onClose={() => change({ run: undefined, tab: 'runs' })} />}
      <Card flush title="Verifications">
        <DataTable
          label="Verifications"
          place="group"
          columns={columns}
          rows={query.data?.items}
          rowKey={({ id }) => id}
          rowLabel={(one) => `Verification of ${formatWhen(one.finishedAt)}`}
          state={query}
          errorTitle="The verifications could not be loaded"
          empty={
            <EmptyState
              icon={IconShieldCheck}
              title="Nothing was verified yet"
              description="A verification looks at every address: whether it can take mail, and whether it is worth mailing."
            />
          }
          phone={(one) => ({
            title: `${formatNumber(one.result.contacts)} contacts`,
            aside: <DateText value={one.finishedAt} />,
            second: one.whole ? 'All contacts' : 'A selection',
          })}
          onOpen={({ id }) => change({ run: id })}
          openKey={run}
        />
      </Card>
      <Pages total={query.data?.totalCount} page={page} pageSize={pageSize} change={change} />
    </>
  );
}

/** What came of one run. */
function OneRun({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, isPending } = useQuery(queryOptionsFor(getVerification, { params: { id } }));
  if (isPending) return <ListSkeleton />;
  if (!data) return <ErrorState title="This verification could not be shown" error={error} />;
  const { result, startedAt, startedBy, dns } = data;
  const close = (
    <Button variant="default" size="xs" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Card
      title={`${formatNumber(result.contacts)} ${result.contacts === 1 ? 'contact' : 'contacts'} verified`}
      hint={`${formatWhen(startedAt)}${startedBy === null ? '' : ` by ${startedBy}`}`}
      action={close}
    >
      <SegmentBar label="Verdicts" height={22} large segments={verdictSegments(result.verdicts)} />
      <div className={classes.facts}>
        <Tally title="Reasons" counts={result.reasons} labels={reasonLabels} filter="reason" />
        <Tally title="Kinds" counts={result.kinds} labels={kindLabels} filter="kind" />
        <Tally title="Verdicts" counts={result.verdicts} labels={verdictLabels} filter="verdict" />
        <div>
          <h3>UK class</h3>
          <SegmentBar label="UK class" legend="list" segments={ukSegments(result.uk)} />
        </div>
      </div>
      <p className={classes.dim}>
        {dns && result.domains
          ? `The mail servers of ${formatNumber(result.domains.asked)} domains were looked up; ${formatNumber(result.domains.unknown)} gave no answer, which counts against nobody.`
          : 'Mail servers were not looked up: the setting for it is off.'}
      </p>
    </Card>
  );
}

interface TallyProps {
  title: string;
  counts: Record<string, number>;
  labels: Record<string, string>;
  filter: 'reason' | 'kind' | 'verdict';
}

/** Figures with the largest first; each leads to the contacts it counts. */
function Tally({ title, counts, labels, filter }: TallyProps) {
  const lines = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {lines.map(([key, count]) => (
          <li key={key}>
            <TextLink to="/email-database" search={{ [filter]: key }}>
              {labels[key] ?? key}
            </TextLink>
            <span className={classes.figure}>{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
