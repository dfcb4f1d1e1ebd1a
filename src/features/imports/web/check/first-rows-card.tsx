import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { FateText, fates } from '#platform/web/components/fate-bar.tsx';
import { formatNumber } from '#platform/web/format.ts';
import type { ImportCheck } from '../../contract.ts';
import { fateSentence } from '../import-words.ts';
import { countKey } from '../left-out-card.tsx';
import { RowText } from '../row-text.tsx';
import classes from './first-rows-card.module.css';

type SampleRow = ImportCheck['sample'][number];

const shown = 10;
/** The rows come with the dry run. */
const there = { isPending: false, error: null, refetch: () => undefined };

/** The first rows of the file, unchanged, each with what would happen to it. */
export function FirstRowsCard({ rows, stale }: { rows: readonly SampleRow[]; stale: boolean }) {
  return (
    <Card title="First rows" hint="and what happens to each" flush>
      <DataTable
        label="First rows"
        place="group"
        columns={columns}
        rows={rows.slice(0, shown)}
        rowKey={({ line, part }) => `${line} ${part}`}
        rowLabel={({ line }) => `line ${line}`}
        state={{ ...there, isPlaceholderData: stale }}
        errorTitle="The rows could not be shown"
        empty={null}
        phone={(row) => ({
          title: <RowText text={row.text} />,
          aside: formatNumber(row.line),
          second: <RowFate row={row} />,
        })}
      />
    </Card>
  );
}

function RowFate({ row: { fate, why } }: { row: SampleRow }) {
  const key = countKey[fate];
  const word = fates.find((one) => one.key === key)?.one ?? '';
  const sentence = fateSentence(word, why);
  return (
    <span title={sentence} className={classes.fate}>
      <FateText fate={key}>{sentence}</FateText>
    </span>
  );
}

const columns: Column<SampleRow>[] = [
  { key: 'line', head: 'Line', width: 68, tone: 'dim', cell: ({ line }) => formatNumber(line) },
  {
    key: 'text',
    head: 'As it stands in the file',
    cell: ({ text }) => <RowText text={text} />,
  },
  { key: 'fate', head: 'What happens', width: '38%', cell: (row) => <RowFate row={row} /> },
];
