import { ActionIcon, Button, CheckIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconBan,
  IconChevronDown,
  IconCopy,
  IconDots,
  IconDownload,
  IconPencilCheck,
  IconPlus,
  IconShieldCheck,
  IconSparkles,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getSettings } from '#features/settings/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type Contact, type ExportFormat, exportFormats } from '../contract.ts';
import type { ContactActions } from './contact-actions.ts';
import classes from './list-actions.module.css';
import { needsEditor, useMayEdit } from './permissions.ts';

/** What a person without the right to it reads on pointing at a button. */
function Explained({ children }: { children: React.ReactElement }) {
  const mayEdit = useMayEdit();
  return (
    <Tooltip label={needsEditor} disabled={mayEdit} multiline maw={280}>
      {children}
    </Tooltip>
  );
}

interface PageActionsProps {
  /** Verifies what the table shows. Never rejects. */
  onVerify: () => Promise<void>;
  /** Downloads what the table shows, in the workspace's format unless another is asked for. Never rejects. */
  onExport: (format?: ExportFormat) => Promise<void>;
  /** Whether an export also holds what the last verification found. */
  withVerdicts: boolean;
  onWithVerdicts: (withVerdicts: boolean) => void;
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

const formatLabels: Record<ExportFormat, string> = { csv: 'CSV', json: 'JSON', xlsx: 'Excel workbook' };

type ExportProps = Pick<PageActionsProps, 'onExport' | 'withVerdicts' | 'onWithVerdicts'>;

/** The formats as menu items, the one of the settings marked, and whether verdicts go into the file. */
function FormatItems({ onExport, withVerdicts, onWithVerdicts }: ExportProps) {
  const byDefault = useQuery(queryOptionsFor(getSettings)).data?.export.defaultFormat;
  const formats = exportFormats.map((format) => (
    <Menu.Item
      key={format}
      leftSection={<IconDownload size={16} stroke={1.6} />}
      rightSection={
        format === byDefault && <span style={{ color: 'var(--ui-dim)', fontSize: 12 }}>your default</span>
      }
      onClick={() => void onExport(format)}
    >
      Export as {formatLabels[format]}
    </Menu.Item>
  ));
  return (
    <>
      {formats}
      <Menu.CheckboxItem
        checked={withVerdicts}
        onChange={onWithVerdicts}
        checkIcon={<CheckIcon size={9} />}
        classNames={{ itemIndicator: classes.box }}
      >
        Include verdicts
      </Menu.CheckboxItem>
    </>
  );
}

/** Exports in the format of the settings at one press; the arrow beside it offers the others. */
function ExportButton({ onExport, ...rest }: ExportProps) {
  return (
    <Button.Group>
      <AsyncButton
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.6} />}
        onClick={() => onExport()}
      >
        Export
      </AsyncButton>
      <Menu width={220} position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={8} aria-label="Choose the format of the export">
            <IconChevronDown size={14} stroke={1.6} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <FormatItems onExport={onExport} {...rest} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
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
          <FormatItems {...exporting} />
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

/** The bulk actions in the toolbar: there at all times, also with nothing selected. */
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

/** The way to what was removed, beside what removes. */
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

function BulkItems({ actions }: { actions: readonly BulkAction[] }) {
  const mayEdit = useMayEdit();
  return (
    <>
      {!mayEdit && <Menu.Label>{needsEditor}</Menu.Label>}
      {actions.map(({ label, icon: ActionIcon, onClick, danger }) => (
        <Menu.Item
          key={label}
          leftSection={<ActionIcon size={16} stroke={1.6} />}
          data-danger={danger || undefined}
          onClick={onClick}
        >
          {label} selected
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconTrash size={16} stroke={1.6} />}
        renderRoot={(props) => <Link to="/bin" {...props} />}
      >
        Open the bin
      </Menu.Item>
    </>
  );
}

interface ContactMenuProps extends ContactActions {
  contact: Contact;
}

/** The items of a contact's menu, in its row and in its panel. */
export function ContactMenu({ contact, ...actions }: ContactMenuProps) {
  const mayEdit = useMayEdit();
  const { status, verification, address } = contact;
  const suppressed = status === 'suppressed';
  return (
    <>
      <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void copyAddress(address)}>
        Copy address
      </Menu.Item>
      {mayEdit && verification?.suggestion != null && (
        <Menu.Item
          leftSection={<IconPencilCheck size={16} stroke={1.6} />}
          disabled={actions.correcting.has(contact.id)}
          onClick={() => void actions.onUseSuggestion(contact)}
        >
          Use the suggestion
        </Menu.Item>
      )}
      {mayEdit && (
        <Menu.Item
          leftSection={<IconShieldCheck size={16} stroke={1.6} />}
          onClick={() => void actions.onVerify(contact)}
        >
          {verification ? 'Verify again' : 'Verify'}
        </Menu.Item>
      )}
      <Menu.Divider />
      {!mayEdit && <Menu.Label>{needsEditor}</Menu.Label>}
      <Menu.Item
        leftSection={<IconBan size={16} stroke={1.6} />}
        disabled={!mayEdit || suppressed}
        onClick={() => void actions.onSuppress(contact)}
      >
        {suppressed ? 'Suppressed already' : 'Suppress'}
      </Menu.Item>
      <Menu.Item
        data-danger
        leftSection={<IconTrash size={16} stroke={1.6} />}
        disabled={!mayEdit}
        onClick={() => actions.onDelete(contact)}
      >
        Delete
      </Menu.Item>
    </>
  );
}

async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    toastDone({ title: 'Address copied', message: address });
  } catch {
    // The clipboard is only there on secure pages, and only where the browser allows it.
    toastFailed({
      title: 'Not copied',
      message: 'The browser did not allow it. Mark the address and copy it by hand.',
    });
  }
}
