import { Button, Skeleton } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { RecordPanel } from '#platform/web/components/record-panel.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatDay, formatFullDate, formatNumber } from '#platform/web/format.ts';
import { listRemoved, type Removal } from '../contract.ts';
import { reasonLabels, whatWas, whyWas } from './bin-words.ts';
import classes from './removal-panel.module.css';

interface RemovalPanelProps {
  removal: Removal | undefined;
  search: string;
  onSearch: (text: string) => void;
  onClose: () => void;
  onRestore: ((removal: Removal) => void) | undefined;
}

/** What one removal holds, with a search inside it. */
export function RemovalPanel({ removal, search, onSearch, onClose, onRestore }: RemovalPanelProps) {
  return (
    <RecordPanel
      opened={removal !== undefined}
      onClose={onClose}
      label={removal ? `${whatWas(removal)}, ${formatCount(removal.contacts, 'contact')}` : ''}
      actions={
        removal?.state === 'in-bin' &&
        onRestore && (
          <Button leftSection={<IconRestore size={16} stroke={1.6} />} onClick={() => onRestore(removal)}>
            Restore {formatCount(removal.contacts - removal.restored, 'contact')}
          </Button>
        )
      }
    >
      {removal && (
        <>
          <p className={classes.facts}>
            {[
              `${formatFullDate(removal.createdAt)}${removal.removedBy ? ` by ${removal.removedBy}` : ''}.`,
              `${whyWas(removal)}.`,
              (removal.state === 'restored' || removal.restored > 0) &&
                `${formatCount(removal.restored, 'contact')} came back.`,
              removal.state === 'in-bin' && `Kept until ${formatDay(removal.expiresAt.slice(0, 10))}.`,
              removal.state === 'expired' && 'Its time in the bin is over.',
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
          {(removal.state === 'in-bin' || removal.state === 'removing') && (
            <Removed id={removal.id} search={search} onSearch={onSearch} />
          )}
        </>
      )}
    </RecordPanel>
  );
}

const shown = 50;

function Removed({ id, search, onSearch }: { id: number; search: string; onSearch: (text: string) => void }) {
  const query = useQuery({
    ...queryOptionsFor(listRemoved, {
      params: { id },
      query: { limit: shown, ...(search === '' ? {} : { search }) },
    }),
    placeholderData: keepPreviousData,
  });
  const { items = [], totalCount = 0 } = query.data ?? {};
  return (
    <>
      <div className={classes.search}>
        <SearchField value={search} onSearch={onSearch} placeholder="Search in this removal" width={352} />
      </div>
      {query.isError ? (
        <ErrorState
          title="The addresses could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <Skeleton height={200} />
      ) : items.length === 0 ? (
        <p className={classes.dim}>No address in this removal contains that.</p>
      ) : (
        <>
          <ul className={classes.list}>
            {items.map((contact) => (
              <li key={contact.id}>
                <span>{contact.address}</span>
                {contact.reason && <span className={classes.dim}>{reasonLabels[contact.reason]}</span>}
              </li>
            ))}
          </ul>
          {totalCount > items.length && (
            <p className={`${classes.dim} ${classes.more}`}>
              The first {items.length} of {formatNumber(totalCount)}. Search, or download all as CSV.
            </p>
          )}
        </>
      )}
    </>
  );
}
