import { Button } from '@mantine/core';
import { IconDownload, IconListSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { addressOf, call, words } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { DayRangeField } from '#platform/web/components/day-range-field.tsx';
import { FilterChips } from '#platform/web/components/filter-chips.tsx';
import { Page, Toolbar } from '#platform/web/components/page.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { EmptyState, NoPermission } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom } from '#platform/web/transfer.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AuditLine, exportAudit, listAudit } from '../contract.ts';
import { type AuditArea, actionWords, areaWords, auditAreas, detailWords, subjectWords } from '../rules.ts';
import classes from './audit-page.module.css';
import { auditSearch } from './audit-search.ts';

const purpose = 'Who did what to which data. Lines are added and never changed.';

/** The audit log, for owners and admins. */
export default function AuditPage() {
  if (useMay('admin')) return <AuditList />;
  return (
    <Page title="Audit Log" purpose={purpose}>
      <NoPermission
        title="The audit log needs the admin role"
        description="Ask an owner or admin of this workspace."
      />
    </Page>
  );
}

function AuditList() {
  const [state, change] = useUrlState(auditSearch);
  const filter = {
    ...(state.actor ? { actor: state.actor } : {}),
    ...(state.area ? { area: state.area } : {}),
    ...(state.from ? { from: state.from } : {}),
    ...(state.to ? { to: state.to } : {}),
  };
  const query = useInfiniteQuery({
    queryKey: [listAudit.path, filter],
    staleTime: 10_000,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(listAudit, { query: { ...filter, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const filtered = Object.keys(filter).length > 0;
  const save = () =>
    downloadFrom(addressOf(exportAudit, { query: filter }), 'audit-log.csv').catch((error) =>
      toastFailed({ title: 'Export Failed', message: words(error) }),
    );
  return (
    <Page
      title="Audit Log"
      purpose={purpose}
      actions={
        <AsyncButton variant="default" leftSection={<IconDownload size={16} stroke={1.6} />} onClick={save}>
          Export CSV
        </AsyncButton>
      }
    >
      <Toolbar
        search={
          <SearchField
            slash
            placeholder="Who"
            value={state.actor}
            onSearch={(actor) => change({ actor }, { replace: true })}
          />
        }
      >
        <FilterChips
          single
          fields={[
            {
              key: 'area',
              label: 'About',
              options: auditAreas.map((value) => ({ value, label: areaWords[value] })),
            },
          ]}
          value={{ area: state.area ? [state.area] : [] }}
          onChange={(_key, [area]) => change({ area: area as AuditArea | undefined })}
        />
        <DayRangeField
          label="Days"
          from={state.from}
          to={state.to}
          onChange={(days) => change(days, { replace: true })}
        />
      </Toolbar>
      <DataTable<AuditLine, number>
        label="Audit log"
        rows={query.data?.pages.flatMap(({ items }) => items)}
        state={query}
        rowKey={({ id }) => id}
        rowLabel={({ action }) => actionWords(action)}
        errorTitle="The audit log could not be loaded"
        errorHint="Your filters are kept."
        expectedRows={12}
        empty={
          <EmptyState
            icon={IconListSearch}
            title={filtered ? 'Nothing fits these filters' : 'Nothing has been recorded yet'}
            description={
              filtered
                ? 'Take a filter away to see more.'
                : 'Changes of contacts, suppressions, settings and people are written here.'
            }
          />
        }
        columns={[
          {
            key: 'what',
            head: 'What',
            tone: 'strong',
            width: '24%',
            cell: ({ action }) => actionWords(action),
          },
          {
            key: 'who',
            head: 'Who',
            width: '24%',
            cell: (line) => <AddressText address={whoDid(line)} />,
          },
          {
            key: 'details',
            head: 'Details',
            tone: 'dim',
            cell: (line) => <span title={detailWords(line.details)}>{whatOf(line)}</span>,
          },
          {
            key: 'when',
            head: 'When',
            width: 120,
            numeric: true,
            tone: 'dim',
            cell: ({ createdAt }) => <DateText value={createdAt} />,
          },
        ]}
        phone={(line) => ({
          title: actionWords(line.action),
          aside: <DateText value={line.createdAt} />,
          second: (
            <>
              <span>{whatOf(line)}</span>
              <span>{whoDid(line)}</span>
            </>
          ),
          wraps: true,
        })}
      />
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show older lines
          </Button>
        </div>
      )}
    </Page>
  );
}

const whatOf = ({ details, subject }: AuditLine): string => detailWords(details) || subjectWords(subject);
const whoDid = ({ actor }: AuditLine): string => actor ?? 'Email Manager';
