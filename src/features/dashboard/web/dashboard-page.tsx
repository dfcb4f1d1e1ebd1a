import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { statsOptions } from '#features/audience/web/index.ts';
import { CleanDialog } from '#features/bin/web/index.ts';
import { AddEmailDialog } from '#features/contacts/web/index.ts';
import { ImportDropArea } from '#features/imports/web/index.ts';
import { SuppressDomainDialog } from '#features/suppressions/web/index.ts';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { StatStrip } from '#platform/web/components/stat-strip.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { previewOptions } from './api.ts';
import { type DashboardDialog, dashboardSearch } from './dashboard-search.ts';
import { EmailPreview } from './email-preview.tsx';
import { figuresOf } from './figures.ts';
import { FirstSteps } from './first-steps.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { useExport } from './use-export.ts';

/** The state of the list, recent changes, and the most frequent actions. */
export default function DashboardPage() {
  const [{ search, open }, change] = useUrlState(dashboardSearch);
  const canEdit = useMay('editor');
  const { data: stats, error } = useQuery(statsOptions);
  const newest = useQuery(previewOptions(search));
  const { exporting, startExport } = useExport(stats?.totalEmails);
  const show = (dialog: DashboardDialog) => change({ open: dialog });
  const close = () => change({ open: '' });
  useHotkeys(canEdit && open === '' ? [['n', () => show('add-email')]] : []);
  const isNew = search === '' && newest.data?.totalCount === 0;

  return (
    <Page
      title="Dashboard"
      purpose="The state of your list, what changed, and what needs a look."
      actions={canEdit && <PageActions onAdd={() => show('add-email')} />}
      hideActionsOnPhone
    >
      <StatStrip label="Figures" stats={figuresOf(stats, new Date())} error={error} />
      <Columns columns="minmax(0, 1fr) 352px">
        <ImportDropArea />
        <QuickActions
          stats={stats}
          canEdit={canEdit}
          onOpen={show}
          onExport={startExport}
          exporting={exporting}
        />
      </Columns>
      <Columns columns="minmax(0, 530fr) minmax(0, 606fr)">
        {isNew ? (
          <FirstSteps canEdit={canEdit} onSuppressDomain={() => show('suppress-domain')} />
        ) : (
          <EmailPreview search={search} onSearch={(typed) => change({ search: typed }, { replace: true })} />
        )}
        <RecentActivity />
      </Columns>
      <AddEmailDialog opened={canEdit && open === 'add-email'} onClose={close} />
      <CleanDialog opened={canEdit && open === 'clean'} onClose={close} />
      <SuppressDomainDialog opened={canEdit && open === 'suppress-domain'} onClose={close} />
    </Page>
  );
}

function PageActions({ onAdd }: { onAdd: () => void }) {
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} stroke={1.6} />} onClick={onAdd}>
        Add email
      </Button>
      <LinkButton to="/imports" leftSection={<IconFileImport size={16} stroke={1.6} />}>
        Import CSV
      </LinkButton>
    </>
  );
}
