import { type ReactNode, useEffect } from 'react';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import type { UrlStateOptions } from '#platform/web/url-state.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import classes from './review.module.css';
import type { ReviewState } from './review-search.ts';

export interface TabProps {
  state: ReviewState;
  change: (to: Partial<ReviewState>, options?: UrlStateOptions) => void;
  mayEdit: boolean;
}

/** The place in a list, and how much of it is shown at a time. */
interface Place {
  page: number;
  pageSize: number;
  change: TabProps['change'];
  /** What is listed, where it is not what the tab counts. */
  unit?: string;
}

interface ReviewListProps<Item> extends Place {
  query: {
    data: { items: Item[]; totalCount: number } | undefined;
    isPending: boolean;
    error: unknown;
    refetch: () => unknown;
    isPlaceholderData: boolean;
  };
  errorTitle: string;
  /** What is still safe when the list could not be loaded. */
  errorHint?: string;
  /** Shown when the list is empty. */
  empty: ReactNode;
  keyOf: (item: Item) => string | number;
  /** Stands above the items that are shown. */
  above?: ((items: Item[]) => ReactNode) | undefined;
  children: (item: Item) => ReactNode;
}

/** A page of open or past decisions, one below the other, in every loading state. */
export function ReviewList<Item>(props: ReviewListProps<Item>) {
  const { query, errorTitle, errorHint, empty, keyOf, above, children, ...place } = props;
  const { data, isPending, error, refetch } = query;
  const { page, pageSize, change } = place;
  const last = data && Math.max(Math.ceil(data.totalCount / pageSize), 1);
  // Decided items disappear, and the page may disappear with them.
  const isPastEnd = last !== undefined && page > last && !query.isPlaceholderData;
  useEffect(() => {
    if (isPastEnd) change({ page: last }, { replace: true });
  }, [isPastEnd, last, change]);
  if (isPending) return <ListSkeleton />;
  if (!data) {
    return (
      <ErrorState title={errorTitle} description={errorHint} error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      {data.items.length === 0 ? (
        empty
      ) : (
        <>
          {above?.(data.items)}
          <ul className={classes.list}>
            {data.items.map((item) => (
              <li key={keyOf(item)}>{children(item)}</li>
            ))}
          </ul>
        </>
      )}
      <Pages total={data.totalCount} {...place} />
    </>
  );
}

/** Links to the other pages, if there are any. */
export function Pages({ total = 0, change, ...place }: Place & { total: number | undefined }) {
  if (total <= place.pageSize) return null;
  return <TableFooter {...place} total={total} onPage={(next) => change({ page: next })} />;
}

interface Choice {
  label: string;
  /** Must not reject. */
  onClick: () => Promise<unknown>;
}

/** The choices of a decision: to leave it, or to do it. */
export function Decision({ dismiss, accept, size }: { dismiss: Choice; accept: Choice; size?: 'xs' }) {
  return (
    <div className={classes.buttons}>
      <AsyncButton size={size ?? 'sm'} variant="subtle" color="gray" onClick={dismiss.onClick}>
        {dismiss.label}
      </AsyncButton>
      <AsyncButton size={size ?? 'sm'} variant="default" onClick={accept.onClick}>
        {accept.label}
      </AsyncButton>
    </div>
  );
}
