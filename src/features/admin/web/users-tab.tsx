import { Button, Menu } from '@mantine/core';
import { IconLockOpen, IconLogout, IconSearchOff, IconUserOff, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { FilterChips } from '#platform/web/components/filter-chips.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AdminUser, findUsers, userStatuses } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { userOnPhone, useUserColumns } from './user-columns.tsx';
import { type UserAct, UserDialog } from './user-dialog.tsx';

const pageSize = 20;

/** Everybody who has an account, and what can be done about them. */
export function UsersTab() {
  const [state, change] = useUrlState(adminSearch);
  const search = state.search.trim();
  const query = useQuery({
    ...queryOptionsFor(findUsers, {
      query: { search, status: state.status, page: state.page, limit: pageSize },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useUserColumns();
  const [act, setAct] = useState<UserAct | null>(null);
  return (
    <>
      <div className={classes.bar}>
        <SearchField
          slash
          placeholder="Person or workspace"
          value={state.search}
          onSearch={(text) => change({ search: text, page: 1 }, { replace: true })}
        />
        <FilterChips
          single
          fields={[
            {
              key: 'status',
              label: 'Status',
              options: [
                { value: 'active', label: 'Active' },
                { value: 'suspended', label: 'Suspended' },
              ],
            },
          ]}
          value={{ status: state.status ? [state.status] : [] }}
          onChange={(_key, [value]) => change({ status: userStatuses.find((one) => one === value), page: 1 })}
        />
      </div>
      <DataTable
        label="Users"
        columns={columns}
        rows={query.data?.items}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        state={query}
        expectedRows={pageSize}
        errorTitle="The users could not be loaded"
        errorHint="Your search is kept."
        empty={
          search === '' && !state.status ? (
            <EmptyState icon={IconUsers} title="No users on this page" description="Go back to page 1." />
          ) : (
            <EmptyState
              icon={IconSearchOff}
              title={search === '' ? 'Nobody matches this filter' : `Nobody matches “${search}”`}
              description="Part of a name, an address or a workspace is enough."
              action={
                <Button variant="default" onClick={() => change({ search: '', status: undefined, page: 1 })}>
                  Show everybody
                </Button>
              }
            />
          )
        }
        phone={userOnPhone}
        rowMenu={(user) => <UserMenu user={user} onAct={setAct} />}
      />
      <TableFooter
        page={state.page}
        pageSize={pageSize}
        total={query.data?.totalCount}
        onPage={(page) => change({ page })}
      />
      <UserDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

function UserMenu({ user, onAct }: { user: AdminUser; onAct: (act: UserAct) => void }) {
  const item = { size: 16, stroke: 1.6 };
  if (user.isYou) return <Menu.Label>This is you</Menu.Label>;
  return (
    <>
      <Menu.Item
        leftSection={<IconLogout {...item} />}
        disabled={user.sessions === 0}
        onClick={() => onAct({ kind: 'sign-out', user })}
      >
        Sign out everywhere
      </Menu.Item>
      <Menu.Divider />
      {user.status === 'suspended' ? (
        <Menu.Item leftSection={<IconLockOpen {...item} />} onClick={() => onAct({ kind: 'lift', user })}>
          Lift suspension
        </Menu.Item>
      ) : (
        <Menu.Item
          data-danger
          leftSection={<IconUserOff {...item} />}
          onClick={() => onAct({ kind: 'suspend', user })}
        >
          Suspend
        </Menu.Item>
      )}
    </>
  );
}
