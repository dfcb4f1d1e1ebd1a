import { Menu, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { enterWorkspace } from '#features/sign-in/web/index.ts';
import { ApiError, call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { capitalise, formatCount } from '#platform/web/format.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { createWorkspace, listWorkspaces, switchWorkspace } from '../contract.ts';
import { isNameTwice } from '../rules.ts';
import classes from './workspace-switcher.module.css';

/** The button at the top of the sidebar: the person's workspaces, and a way to make another. */
export default function WorkspaceSwitcher({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const [making, setMaking] = useState(false);
  const { data, error } = useQuery({ ...queryOptionsFor(listWorkspaces), enabled: opened });
  const go = async (id: number) => {
    try {
      await enterWorkspace(() => call(switchWorkspace, { body: { id } }));
    } catch (failure) {
      toastFailed({ title: 'Error', message: words(failure, 'The workspace could not be opened.') });
    }
  };
  return (
    <>
      <Menu opened={opened} onChange={setOpened} width={260} position="bottom-start">
        <Menu.Target>
          <UnstyledButton className={classes.button} aria-label="Switch workspace">
            {children}
            <IconSelector size={14} stroke={1.6} className={classes.arrows} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{error ? words(error) : 'Workspaces'}</Menu.Label>
          {data?.map(({ id, name, role, members, owner, current }) => (
            <Menu.Item
              key={id}
              onClick={() => (current ? undefined : void go(id))}
              rightSection={current && <IconCheck size={16} stroke={1.8} aria-label="You are here" />}
            >
              <span className={classes.name}>{name}</span>
              <span className={classes.facts}>
                {capitalise(role)}, {formatCount(members, 'member')}
                {isNameTwice(data, name) && owner !== null && `, owned by ${owner}`}
              </span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} stroke={1.6} />} onClick={() => setMaking(true)}>
            New workspace
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NewWorkspace opened={making} onClose={() => setMaking(false)} />
    </>
  );
}

function NewWorkspace({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const make = async () => {
    setPending(true);
    try {
      if (!(await enterWorkspace(() => call(createWorkspace, { body: { name } })))) setPending(false);
    } catch (failure) {
      setProblem((failure instanceof ApiError && failure.fields.name) || words(failure));
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="New workspace"
      submitLabel="Make workspace"
      pendingLabel="Making..."
      pending={pending}
      onSubmit={() => void make()}
    >
      <TextInput
        label="Name"
        description="A workspace has contacts, suppressions and members of its own. Nothing is shared with your others."
        data-autofocus
        value={name}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
      />
    </FormDialog>
  );
}
