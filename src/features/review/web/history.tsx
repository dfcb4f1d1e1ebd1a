import { Button, Menu } from '@mantine/core';
import { IconArrowBackUp, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { listCorrectedContacts, listPastDecisions, type PastDecision } from '../contract.ts';
import { useDecisions } from './decisions.ts';
import { wordsOf } from './history-words.ts';
import classes from './review.module.css';
import { Pages, ReviewList, type TabProps } from './review-list.tsx';

const pageSize = 20;

const what = (decision: PastDecision) => {
  const { text, full } = wordsOf(decision);
  return <span title={full}>{text}</span>;
};
const state = ({ undoneAt, canUndo, undoFirst }: PastDecision) =>
  undoneAt !== null ? (
    <span className={classes.state}>
      <WordBadge>Undone</WordBadge> <DateText value={undoneAt} />
    </span>
  ) : canUndo ? (
    'In force'
  ) : undoFirst !== null ? (
    <span title="In force. To undo it, undo the later merge of the same contact first">Merged on since</span>
  ) : (
    <span title="In force, and too old to undo">Too old to undo</span>
  );

const columns: Column<PastDecision>[] = [
  { key: 'when', head: 'When', cell: ({ createdAt }) => <DateText value={createdAt} />, width: 96 },
  {
    key: 'kind',
    head: 'Decision',
    cell: ({ kind }) => (kind === 'correction' ? 'Corrected' : 'Merged'),
    width: 110,
    tone: 'dim',
  },
  { key: 'what', head: 'What', cell: what, tone: 'strong' },
  {
    key: 'contacts',
    head: 'Contacts',
    cell: ({ contacts }) => formatNumber(contacts),
    numeric: true,
    width: 96,
  },
  { key: 'by', head: 'By', cell: ({ by }) => <span title={by ?? ''}>{by}</span>, width: '20%', tone: 'dim' },
  { key: 'state', head: 'State', cell: state, width: 150, tone: 'dim' },
];

/** Past corrections and merges, and how to undo them. */
export function History({ state: place, change, mayEdit }: TabProps) {
  const { page, correction } = place;
  const decisions = useDecisions();
  const query = useQuery({
    ...queryOptionsFor(listPastDecisions, { query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
    enabled: correction === undefined,
  });
  if (correction !== undefined) {
    return <OneCorrection key={correction} id={correction} page={page} change={change} />;
  }
  const undo = ({ kind, id }: PastDecision) =>
    void (kind === 'correction' ? decisions.takeBackCorrection(id) : decisions.takeBackMerge(id));
  return (
    <>
      <Card flush title="Past decisions">
        <DataTable<PastDecision, string>
          label="Past decisions"
          place="group"
          columns={columns}
          rows={query.data?.items}
          rowKey={({ kind, id }) => `${kind} ${id}`}
          rowLabel={(one) => wordsOf(one).text}
          state={query}
          errorTitle="The past decisions could not be loaded"
          empty={
            <EmptyState
              icon={IconHistory}
              title="Nothing was decided yet"
              description="Corrections you accept and contacts you merge are kept here, with who did it and the way back."
            />
          }
          phone={(one) => ({
            title: `${one.kind === 'correction' ? 'Corrected' : 'Merged'}: ${formatCount(one.contacts, 'contact')}`,
            aside: <DateText value={one.createdAt} />,
            second: (
              <>
                <span>{wordsOf(one).text}</span>
                {one.undoneAt !== null && <WordBadge>Undone</WordBadge>}
              </>
            ),
            wraps: true,
          })}
          rowMenu={(one) => (
            <>
              <ContactsItem decision={one} onShow={() => change({ correction: one.id, page: 1 })} />
              {mayEdit && one.canUndo && (
                <Menu.Item leftSection={<IconArrowBackUp size={16} stroke={1.6} />} onClick={() => undo(one)}>
                  Undo
                </Menu.Item>
              )}
            </>
          )}
        />
      </Card>
      <Pages total={query.data?.totalCount} page={page} pageSize={pageSize} change={change} />
    </>
  );
}

/** The address of a contact's record, with the contact in the list beside it. */
const recordOf = (id: number, address: string): Record<string, unknown> => ({
  search: address.slice(0, 320),
  open: id,
});

/**
 * Leads to the contacts concerned: those of a correction, or the one that others were merged into.
 */
function ContactsItem({ decision, onShow }: { decision: PastDecision; onShow: () => void }) {
  if (decision.kind === 'correction') return <Menu.Item onClick={onShow}>Show the contacts</Menu.Item>;
  if (!decision.kept) return <Menu.Label>The contact is gone</Menu.Label>;
  const { id, address } = decision.kept;
  return (
    <Menu.Item
      renderRoot={(props) => <Link to="/email-database" search={recordOf(id, address)} {...props} />}
    >
      Show the contact
    </Menu.Item>
  );
}

interface OneCorrectionProps {
  id: number;
  page: number;
  change: TabProps['change'];
}

/** The contacts of one correction. Each leads to its record. */
function OneCorrection({ id, page, change }: OneCorrectionProps) {
  const query = useQuery({
    ...queryOptionsFor(listCorrectedContacts, { params: { id }, query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  const back = (
    <Button variant="default" size="xs" onClick={() => change({ correction: undefined, page: 1 })}>
      All decisions
    </Button>
  );
  return (
    <Card
      title={query.data ? formatCount(query.data.totalCount, 'corrected contact') : 'Corrected contacts'}
      action={back}
    >
      <ReviewList
        query={query}
        page={page}
        pageSize={pageSize}
        change={change}
        errorTitle="These contacts could not be loaded"
        empty={null}
        keyOf={({ id: contactId }) => contactId}
      >
        {({ id: contactId, before, after, now }) => (
          <>
            <p className={classes.name}>
              <span className={classes.old}>{before}</span> →{' '}
              {now === null ? (
                after
              ) : (
                <Link to="/email-database" search={recordOf(contactId, now)} className={classes.contact}>
                  {after}
                </Link>
              )}
            </p>
            {now === null && <p className={classes.dim}>The contact is gone by now.</p>}
            {now === before && <p className={classes.dim}>It is as before again.</p>}
            {now !== null && now !== before && now !== after && (
              <p className={classes.dim}>It is {now} by now.</p>
            )}
          </>
        )}
      </ReviewList>
    </Card>
  );
}
