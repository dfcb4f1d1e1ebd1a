import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPlus, IconShieldCheck, IconSparkles } from '@tabler/icons-react';
import { needsEditor, useMayEdit } from '#features/contacts/web/index.ts';
import { ExportButton, ExportItems, type ExportProps } from '#features/exports/web/index.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import { BulkItems } from './bulk-menu.tsx';
import classes from './list-actions.module.css';

/** What a person without the right to it reads on pointing at a button. */
function Explained({ children }: { children: React.ReactElement }) {
  const mayEdit = useMayEdit();
  return (
    <Tooltip label={needsEditor} disabled={mayEdit} multiline maw={280}>
      {children}
    </Tooltip>
  );
}

export interface PageActionsProps extends ExportProps {
  /** Verifies what the table shows. Never rejects. */
  onVerify: () => Promise<void>;
  /** Asks whether to remove duplicates, invalid and non-UK contacts. */
  onClean: () => void;
  onAdd: () => void;
}

export function PageActions({ onVerify, onAdd, onClean, ...exporting }: PageActionsProps) {
  const mayEdit = useMayEdit();
  return (
    <>
      <Explained>
        <AsyncButton
          variant="default"
          className={classes.gives}
          {...(mayEdit ? { title: 'Verify' } : {})}
          leftSection={<IconShieldCheck size={16} stroke={1.6} />}
          data-disabled={!mayEdit || undefined}
          aria-disabled={!mayEdit || undefined}
          onClick={async () => void (mayEdit && (await onVerify()))}
        >
          Verify
        </AsyncButton>
      </Explained>
      <Explained>
        <Button
          variant="default"
          className={classes.gives}
          {...(mayEdit ? { title: 'Clean' } : {})}
          leftSection={<IconSparkles size={16} stroke={1.6} />}
          data-disabled={!mayEdit || undefined}
          aria-disabled={!mayEdit || undefined}
          onClick={() => mayEdit && onClean()}
        >
          Clean
        </Button>
      </Explained>
      <ExportButton {...exporting} />
      <Explained>
        <Button
          leftSection={<IconPlus size={16} stroke={1.8} />}
          data-disabled={!mayEdit || undefined}
          aria-disabled={!mayEdit || undefined}
          onClick={() => mayEdit && onAdd()}
        >
          Add Email
        </Button>
      </Explained>
    </>
  );
}

/** On a phone, beside the search: what has no room in the picture of the screen, and the primary action. */
export function PhoneActions({
  actions,
  onVerify,
  onAdd,
  onClean,
  ...exporting
}: PageActionsProps & { actions: readonly BulkAction[] }) {
  const mayEdit = useMayEdit();
  return (
    <>
      <Menu width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size={40} aria-label="More actions">
            <IconDots size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ExportItems {...exporting} />
          {mayEdit && <Menu.Divider />}
          {mayEdit && (
            <Menu.Item
              leftSection={<IconShieldCheck size={16} stroke={1.6} />}
              onClick={() => void onVerify()}
            >
              Verify
            </Menu.Item>
          )}
          {mayEdit && (
            <Menu.Item leftSection={<IconSparkles size={16} stroke={1.6} />} onClick={onClean}>
              Clean
            </Menu.Item>
          )}
          <Menu.Divider />
          <BulkItems actions={actions} />
        </Menu.Dropdown>
      </Menu>
      {mayEdit && (
        <ActionIcon variant="filled" color="lagoon" size={40} aria-label="Add Email" onClick={onAdd}>
          <IconPlus size={20} stroke={1.8} />
        </ActionIcon>
      )}
    </>
  );
}
