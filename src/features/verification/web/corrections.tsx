import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { EmptyState, ErrorState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { formatNumber } from '#platform/web/format.ts';
import {
  type CorrectionPattern,
  listCorrections,
  listPatternContacts,
  type SuggestedCorrection,
} from '../contract.ts';
import { useDecisions } from './decisions.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import classes from './review.module.css';
import type { ReviewState } from './review-search.ts';

export interface TabProps {
  state: ReviewState;
  change: (to: Partial<ReviewState>) => void;
  mayEdit: boolean;
}

const pageSize = 20;

/** Addresses that look like slips, by what would be changed. */
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
  const { data, error, isPending, refetch } = query;
  if (isPending) return <ListSkeleton />;
  if (!data) {
    return (
      <ErrorState
        title="The corrections could not be loaded"
        description="Nothing was changed."
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data.totalCount === 0) {
    return (
      <EmptyState
        icon={IconChecks}
        title="No corrections to review"
        description="When a verification finds addresses that look like slips of the keyboard, they wait here for your decision."
      />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {data.items.map((pattern) => (
          <li key={`${pattern.from} ${pattern.to}`}>
            <Pattern
              pattern={pattern}
              mayEdit={mayEdit}
              onOpen={() => change({ from: pattern.from, to: pattern.to, page: 1 })}
            />
          </li>
        ))}
      </ul>
      {data.totalCount > pageSize && (
        <TableFooter
          page={page}
          pageSize={pageSize}
          total={data.totalCount}
          onPage={(next) => change({ page: next })}
        />
      )}
    </>
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
  const who = contacts === 1 ? '1 contact' : `${formatNumber(contacts)} contacts`;
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
          <div className={classes.buttons}>
            <AsyncButton variant="subtle" color="gray" onClick={() => decisions.dismiss(which)}>
              Dismiss
            </AsyncButton>
            <AsyncButton variant="default" onClick={() => decisions.accept(which)}>
              Correct {who}
            </AsyncButton>
          </div>
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
  const { data, error, isPending, refetch } = useQuery({
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
      {isPending ? (
        <ListSkeleton />
      ) : !data ? (
        <ErrorState title="These contacts could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data.items.length === 0 ? (
        <p className={classes.dim}>Everything here has been decided.</p>
      ) : (
        <ul className={classes.list}>
          {data.items.map((item) => (
            <li key={item.id}>
              <OneCorrection item={item} mayEdit={mayEdit} />
            </li>
          ))}
        </ul>
      )}
      {data && data.totalCount > pageSize && (
        <TableFooter
          page={page}
          pageSize={pageSize}
          total={data.totalCount}
          onPage={(next) => change({ page: next })}
        />
      )}
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
        <div className={classes.buttons}>
          <AsyncButton
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => decisions.dismiss({ ids: [id] })}
          >
            Dismiss
          </AsyncButton>
          {existingId === null ? (
            <AsyncButton size="xs" variant="default" onClick={() => decisions.accept({ ids: [id] })}>
              Correct
            </AsyncButton>
          ) : (
            <AsyncButton size="xs" variant="default" onClick={() => decisions.merge(existingId, [id])}>
              Merge
            </AsyncButton>
          )}
        </div>
      )}
    </div>
  );
}
