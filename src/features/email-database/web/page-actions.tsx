import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPlus, IconShieldCheck, IconSparkles } from '@tabler/icons-react';
import { needsEditor } from '#features/contacts/web/index.ts';
import { ExportButton, ExportItems, type ExportProps } from '#features/exports/web/index.ts';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { BulkItems } from './bulk-menu.tsx';
import classes from './list-actions.module.css';

export interface PageActionsProps extends ExportProps {
  /** Verifies what the table shows. Never rejects. */
  onVerify: () => Promise<void>;
  /** Asks whether to remove duplicates, invalid and non-UK contacts. */
  onClean: () => void;
  onAdd: () => void;
}

export function PageActions({ onVerify, onAdd, onClean, ...exporting }: PageActionsProps) {
  return (
    <>
      <MayEditButton
        why={needsEditor}
        variant="default"
        className={classes.gives}
        title="Verify"
        leftSection={<IconShieldCheck size={16} stroke={1.6} />}
        onClick={onVerify}
      >
        Verify
      </MayEditButton>
      <MayEditButton
        why={needsEditor}
        variant="default"
        className={classes.gives}
        title="Clean"
        leftSection={<IconSparkles size={16} stroke={1.6} />}
        onClick={onClean}
      >
        Clean
      </MayEditButton>
      <ExportButton {...exporting} />
      <MayEditButton why={needsEditor} leftSection={<IconPlus size={16} stroke={1.8} />} onClick={onAdd}>
        Add Email
      </MayEditButton>
    </>
  );
}

/**
 * Beside the search on a phone: the actions that have no room elsewhere on the screen, and the
 * primary action.
 */
export function PhoneActions({
  actions,
  onVerify,
  onAdd,
  onClean,
  ...exporting
}: PageActionsProps & { actions: readonly BulkAction[] }) {
  const mayEdit = useMay('editor');
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
