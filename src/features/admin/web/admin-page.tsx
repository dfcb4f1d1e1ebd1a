import { Tabs } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Card } from '#platform/web/components/card.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { adminSearch, type Tab, tabs } from './admin-search.ts';
import { Overview } from './overview.tsx';
import { QueueTab } from './queue-tab.tsx';
import { SystemTab } from './system-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const tabLabels: Record<Tab, string> = {
  overview: 'Overview',
  users: 'Users',
  queue: 'Queue',
  system: 'System',
};

/** The whole installation, for its administrator. The server refuses everybody else too. */
export default function AdminPage() {
  const { isAdmin } = useCurrentUser();
  return isAdmin ? <Panel /> : <AccessDenied />;
}

function AccessDenied() {
  return (
    <Page title="Admin">
      <Card>
        <EmptyState
          icon={IconLock}
          title="Access Denied"
          description="You don't have permission to access the admin panel."
          action={<LinkButton to="/">Return to Home</LinkButton>}
        />
      </Card>
    </Page>
  );
}

function Panel() {
  const [{ tab }, change] = useUrlState(adminSearch);
  return (
    <Page title="Admin" purpose="All workspaces of this installation together.">
      <Tabs
        value={tab}
        onChange={(next) =>
          change({
            tab: tabs.find((one) => one === next) ?? 'overview',
            page: 1,
            search: '',
            status: undefined,
            view: 'open',
          })
        }
      >
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {tabLabels[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {tab === 'overview' && <Overview />}
      {tab === 'users' && <UsersTab />}
      {tab === 'queue' && <QueueTab />}
      {tab === 'system' && <SystemTab />}
    </Page>
  );
}
