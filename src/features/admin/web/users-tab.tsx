import { Button } from '@mantine/core';
import { IconSearchOff, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListFilters } from '#platform/web/components/list-filters.tsx';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { usePages } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { findUsers } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { userOnPhone, useUserColumns } from './user-columns.tsx';
import { type UserAct, UserDialog } from './user-dialog.tsx';
import { UserMenu } from './user-menu.tsx';

const pageSize = 20;

/** Everybody with an account, and what can be done about them. */
export function UsersTab() {
  const [state, change] = useUrlState(adminSearch);
  const { status, page } = state;
  const search = state.search.trim();
  const list = usePages(queryOptionsFor(findUsers, { query: { search, status, page, limit: pageSize } }), {
    page,
    pageSize,
    onPage: (next) => change({ page: next }),
  });
  const columns = useUserColumns();
  const [act, setAct] = useState<UserAct | null>(null);
  const everybody = () => change({ search: '', status: undefined, page: 1 });
  return (
    <>
      <div className={classes.bar}>
        <ListFilters
          state={state}
          change={change}
          search={{ field: 'search', placeholder: 'Person or workspace' }}
          fields={[{ key: 'status', label: 'Status', options: statuses }]}
        />
      </div>
      <ListTable
        list={list}
        words={wordsFor(search, everybody)}
        isNarrowed={search !== '' || status !== undefined}
        columns={columns}
        phone={userOnPhone}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        expectedRows={pageSize}
        rowMenu={(user) => <UserMenu user={user} onAct={setAct} />}
      />
      <UserDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
];

const wordsFor = (search: string, onShowEverybody: () => void): ListWords => ({
  label: 'Users',
  errorTitle: 'The users could not be loaded',
  errorHint: 'Your search is kept.',
  empty: { icon: IconUsers, title: 'No users on this page', description: 'Go back to page 1.' },
  nothingFound: {
    icon: IconSearchOff,
    title: search === '' ? 'Nobody matches this filter' : `Nobody matches “${search}”`,
    description: 'Part of a name, an address or a workspace is enough.',
    action: (
      <Button variant="default" onClick={onShowEverybody}>
        Show everybody
      </Button>
    ),
  },
});
