import type { ReactNode } from 'react';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';

/** Long work of any workspace: a task or an import. */
interface Work {
  id: number;
  workspace: { id: number; name: string };
  createdAt: string;
}

/** The words for one kind of work. */
interface WorkWords<Row extends Work> {
  /** "Task". */
  head: string;
  titleOf: (row: Row) => string;
  startedBy: (row: Row) => string;
  badgeOf: (row: Row) => ReactNode;
  /** Why it failed, or its progress. */
  noteOf: (row: Row) => string;
}

const titled = (text: string) => <span title={text}>{text}</span>;

/** What the tables of tasks and of imports share: the work, its owner, and its progress. */
export const workTable = <Row extends Work>(words: WorkWords<Row>) => {
  const { head, titleOf, startedBy, badgeOf, noteOf } = words;
  const columns: Column<Row>[] = [
    { key: 'title', head, cell: (row) => titled(titleOf(row)), tone: 'strong' },
    { key: 'workspace', head: 'Workspace', cell: ({ workspace }) => titled(workspace.name), width: '16%' },
    { key: 'startedBy', head: 'Started by', cell: (row) => titled(startedBy(row)), width: '13%' },
    { key: 'status', head: 'Status', cell: badgeOf, width: 120, skeleton: 64 },
    { key: 'note', head: 'Progress', cell: (row) => titled(noteOf(row)), width: '28%', tone: 'dim' },
    {
      key: 'createdAt',
      head: 'Begun',
      cell: ({ createdAt }) => <DateText value={createdAt} />,
      width: 84,
      numeric: true,
      tone: 'dim',
    },
  ];
  return {
    columns,
    rowKey: ({ workspace, id }: Row) => `${workspace.id}/${id}`,
    rowLabel: titleOf,
    phone: (row: Row): PhoneRow => ({
      title: titleOf(row),
      aside: badgeOf(row),
      second: noteOf(row) || row.workspace.name,
    }),
  };
};
