import { Button, Menu } from '@mantine/core';
import { IconCertificate, IconChevronDown, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { needsEditor } from '#features/contacts/web/index.ts';
import { LinkButton } from '#platform/web/components/links.tsx';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import { useMay } from '#platform/web/current-user.ts';
import classes from './list-actions.module.css';

/** The bulk actions in the toolbar. Always shown, even with nothing selected. */
export function BulkMenu({ actions }: { actions: readonly BulkAction[] }) {
  return (
    <Menu width={220}>
      <Menu.Target>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
        >
          Bulk actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <BulkItems actions={actions} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The link to removed contacts, beside the action that removes them. */
export const BinLink = () => (
  <LinkButton
    to="/bin"
    size="xs"
    variant="subtle"
    color="gray"
    className={classes.gives}
    title="Bin"
    leftSection={<IconTrash size={14} stroke={1.6} />}
  >
    Bin
  </LinkButton>
);

/** What can be done with the selected contacts, as menu items. */
export function BulkItems({ actions }: { actions: readonly BulkAction[] }) {
  const mayEdit = useMay('editor');
  return (
    <>
      {!mayEdit && <Menu.Label>{needsEditor}</Menu.Label>}
      {actions.map(({ label, inMenu = `${label} selected`, icon: ActionIcon, onClick, danger }) => (
        <Menu.Item
          key={label}
          leftSection={<ActionIcon size={16} stroke={1.6} />}
          data-danger={danger || undefined}
          onClick={onClick}
        >
          {inMenu}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconTrash size={16} stroke={1.6} />}
        renderRoot={(props) => <Link to="/bin" {...props} />}
      >
        Open the bin
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPencil size={16} stroke={1.6} />}
        renderRoot={(props) => <Link to="/field-changes" {...props} />}
      >
        Changed fields
      </Menu.Item>
      <Menu.Item
        leftSection={<IconCertificate size={16} stroke={1.6} />}
        renderRoot={(props) => <Link to="/basis-changes" {...props} />}
      >
        Marketing bases set
      </Menu.Item>
    </>
  );
}
