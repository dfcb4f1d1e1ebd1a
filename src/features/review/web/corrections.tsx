import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import {
  type CorrectionPattern,
  listCorrections,
  listPatternContacts,
  type SuggestedCorrection,
} from '../contract.ts';
import { AcceptContacts, AcceptPatterns } from './accept-shown.tsx';
import { useDecisions } from './decisions.ts';
import classes from './review.module.css';
import { Decision, ReviewList, type TabProps } from './review-list.tsx';

const pageSize = 20;

/** Addresses that look like slips, grouped by what would be changed. */
export function Corrections({ state, change, mayEdit }: TabProps) {
  const { page, from, to } = state;
  const query = useQuery({
    ...queryOptionsFor(listCorrections, { query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
    enabled: from === undefined || to === undefined,
  });
  if (from !== undefined && to !== undefined) {
    return <OnePattern from={from} to={to} page={page} change={change} mayEdit={mayEdit} />;
  }
  return (
    <ReviewList
      query={query}
      page={page}
      pageSize={pageSize}
      change={change}
      unit="patterns"
      errorTitle="The corrections could not be loaded"
      errorHint="Nothing was changed."
      empty={
        <EmptyState
          icon={IconChecks}
          title="No corrections to review"
          description="When a verification finds addresses that look like slips of the keyboard, they wait here for your decision."
        />
      }
      keyOf={(pattern) => `${pattern.from} ${pattern.to}`}
      above={mayEdit ? (patterns) => <AcceptPatterns patterns={patterns} /> : undefined}
    >
      {(pattern) => (
        <Pattern
          pattern={pattern}
          mayEdit={mayEdit}
          onOpen={() => change({ from: pattern.from, to: pattern.to, page: 1 })}
        />
      )}
    </ReviewList>
  );
}

function Change({ before, after }: { before: string; after: string }) {
  return (
    <>
      <span className={classes.old}>{before}</span> → {after}
    </>
  );
}

function Pattern({
  pattern,
  mayEdit,
  onOpen,
}: {
  pattern: CorrectionPattern;
  mayEdit: boolean;
  onOpen: () => void;
}) {
  const decisions = useDecisions();
  const { from, to, contacts, samples } = pattern;
  const which = { pattern: { from, to } };
  const who = formatCount(contacts, 'contact');
  return (
    <Card>
      <div className={classes.row}>
        <div className={classes.pattern}>
          <h2 className={classes.name}>
            {from === to ? from : <Change before={from} after={to} />}
            <span className={classes.count}>{who}</span>
          </h2>
          {samples.map(({ id, before, after }) => (
            <p key={id} className={classes.dim}>
              {before} → {after}
            </p>
          ))}
          {contacts > samples.length && (
            <TextButton onClick={onOpen}>Show all {formatNumber(contacts)}</TextButton>
          )}
          {contacts <= samples.length && <TextButton onClick={onOpen}>Decide one by one</TextButton>}
        </div>
        {mayEdit && (
          <Decision
            dismiss={{ label: 'Dismiss', onClick: () => decisions.dismiss(which) }}
            accept={{ label: `Correct ${who}`, onClick: () => decisions.accept(which) }}
          />
        )}
      </div>
    </Card>
  );
}

interface OnePatternProps {
  from: string;
  to: string;
  page: number;
  change: TabProps['change'];
  mayEdit: boolean;
}

/** The contacts of one pattern, to be decided one by one. */
function OnePattern({ from, to, page, change, mayEdit }: OnePatternProps) {
  const query = useQuery({
    ...queryOptionsFor(listPatternContacts, { query: { from, to, page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  const back = (
    <Button variant="default" size="xs" onClick={() => change({ from: undefined, to: undefined, page: 1 })}>
      All patterns
    </Button>
  );
  return (
    <Card title={<Change before={from} after={to} />} action={back}>
      <ReviewList
        query={query}
        page={page}
        pageSize={pageSize}
        change={change}
        errorTitle="These contacts could not be loaded"
        empty={<p className={classes.dim}>Everything here has been decided.</p>}
        keyOf={({ id }) => id}
        above={mayEdit ? (items) => <AcceptContacts items={items} /> : undefined}
      >
        {(item) => <OneCorrection item={item} mayEdit={mayEdit} />}
      </ReviewList>
    </Card>
  );
}

function OneCorrection({ item, mayEdit }: { item: SuggestedCorrection; mayEdit: boolean }) {
  const decisions = useDecisions();
  const { id, before, after, existingId, isSuppressed } = item;
  return (
    <div className={classes.row}>
      <div className={classes.pattern}>
        <p className={classes.name}>
          <Change before={before} after={after} />
        </p>
        {existingId !== null && (
          <p className={classes.dim}>{after} is a contact already. Merging keeps that one.</p>
        )}
        {isSuppressed && (
          <p className={classes.dim}>
            <StatusBadge status="suppressed" /> It stays suppressed under the new address.
          </p>
        )}
      </div>
      {mayEdit && (
        <Decision
          size="xs"
          dismiss={{ label: 'Dismiss', onClick: () => decisions.dismiss({ ids: [id] }) }}
          accept={
            existingId === null
              ? { label: 'Correct', onClick: () => decisions.accept({ ids: [id] }) }
              : { label: 'Merge', onClick: () => decisions.merge(existingId, [id]) }
          }
        />
      )}
    </div>
  );
}
