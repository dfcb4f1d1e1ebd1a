import { IconDownload, IconListSearch } from '@tabler/icons-react';
import { addressOf, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { NoPermission } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { useOlder } from '#platform/web/list.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom } from '#platform/web/transfer.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { exportAudit, listAudit } from '../contract.ts';
import { auditColumns, auditOnPhone } from './audit-columns.tsx';
import { auditSearch } from './audit-search.ts';
import { useAuditLanguage } from './use-audit-language.ts';

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

const listWords: ListWords = {
  label: 'Audit log',
  errorTitle: 'The audit log could not be loaded',
  errorHint: 'Your filters are kept.',
  older: 'Show older lines',
  empty: {
    icon: IconListSearch,
    title: 'Nothing has been recorded yet',
    description: 'Changes of contacts, suppressions, settings and people are written here.',
  },
  nothingFound: {
    title: 'Nothing fits these filters',
    description: 'Take a filter away to see more.',
  },
};

function AuditList() {
  const language = useAuditLanguage();
  const [asked, change] = useUrlState(auditSearch);
  const areas = language.areas.map(({ name, label }) => ({ value: name, label }));
  // An area that no feature has any more is left out of the filter.
  const area = areas.find(({ value }) => value === asked.area)?.value;
  const state = { ...asked, area };
  const filter = { ...state, actor: state.actor || undefined };
  const list = useOlder(listAudit, {
    query: filter,
    rowsOf: ({ items }) => items,
    after: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    staleTime: 10_000,
  });
  const save = () =>
    downloadFrom(addressOf(exportAudit, { query: filter }), 'audit-log.csv').catch((error) =>
      toastFailed({ title: 'Export Failed', message: words(error) }),
    );
  return (
    <ListPage
      title="Audit Log"
      purpose={purpose}
      actions={
        <AsyncButton variant="default" leftSection={<IconDownload size={16} stroke={1.6} />} onClick={save}>
          Export CSV
        </AsyncButton>
      }
      filters={{
        state,
        change,
        search: { field: 'actor', placeholder: 'Who' },
        fields: [{ key: 'area', label: 'About', options: areas }],
        days: { replace: true },
      }}
      list={list}
      words={listWords}
      columns={auditColumns(language)}
      phone={(line) => auditOnPhone(language, line)}
      rowKey={({ id }) => id}
      rowLabel={({ action }) => language.actionWords(action)}
      expectedRows={12}
    />
  );
}
