import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Contact } from '#features/contacts/contract.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { previewOptions, previewRows } from './api.ts';
import classes from './dashboard.module.css';
import { dateWidth } from './date-width.ts';

const columnsFor = (width: number): readonly Column<Contact>[] => [
  {
    key: 'address',
    head: 'Address',
    cell: ({ address }) => <AddressText address={address} />,
    tone: 'strong',
  },
  {
    key: 'status',
    head: 'Status',
    cell: ({ status }) => <StatusBadge status={status} />,
    width: 124,
    skeleton: 60,
  },
  {
    key: 'createdAt',
    head: 'Added',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
    width,
    numeric: true,
    tone: 'dim',
  },
];

interface EmailPreviewProps {
  search: string;
  onSearch: (search: string) => void;
}

/** The newest addresses, or the newest that contain the searched text. */
export function EmailPreview({ search, onSearch }: EmailPreviewProps) {
  const query = useQuery(previewOptions(search));
  const navigate = useNavigate();
  const phone = usePhone();
  const field = (
    <SearchField
      value={search}
      onSearch={onSearch}
      placeholder="Search addresses"
      size="xs"
      width={176}
      slash
    />
  );
  const kept = search === '' ? {} : { search };
  return (
    <Card
      flush
      title="Email preview"
      action={
        <div className={classes.previewActions}>
          {!phone && field}
          <TextLink to="/email-database" search={kept}>
            View all
          </TextLink>
        </div>
      }
    >
      {phone && <div className={classes.phoneSearch}>{field}</div>}
      <DataTable
        label="Newest addresses"
        place="group"
        columns={columnsFor(dateWidth(query.data?.emails.map(({ createdAt }) => createdAt) ?? []))}
        rows={query.data?.emails}
        rowKey={({ id }) => id}
        rowLabel={({ address }) => address}
        state={query}
        onOpen={({ id }) => void navigate({ to: '/email-database', search: { ...kept, open: id } })}
        expectedRows={previewRows}
        errorTitle="The addresses could not be loaded"
        empty={
          <EmptyState
            icon={IconSearchOff}
            title="No address matches"
            description={`Nothing in your database holds “${search}”.`}
          />
        }
        phone={({ address, status, createdAt }) => ({
          title: <AddressText address={address} />,
          aside: <DateText value={createdAt} />,
          second: <StatusBadge status={status} />,
        })}
      />
    </Card>
  );
}
