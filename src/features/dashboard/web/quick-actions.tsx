import { Kbd, Loader, UnstyledButton } from '@mantine/core';
import { IconBan, IconDownload, IconMailPlus, IconSparkles } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import type { Icon } from '#platform/web/feature.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import classes from './dashboard.module.css';
import type { DashboardDialog } from './dashboard-search.ts';
import type { Stats } from './figures.ts';

interface QuickActionsProps {
  stats: Stats | undefined;
  /** False for a viewer, who may only look and export. */
  canEdit: boolean;
  onOpen: (dialog: DashboardDialog) => void;
  onExport: () => void;
  exporting: boolean;
}

/** The most frequent actions, each with its figure. */
export function QuickActions({ stats, canEdit, onOpen, onExport, exporting }: QuickActionsProps) {
  const notSound = stats && stats.invalidEmails + stats.duplicateEmails;
  const role = canEdit ? undefined : 'Needs the editor role';
  return (
    <Card title="Quick Actions" flush>
      <ul className={classes.actions}>
        <Action
          icon={IconMailPlus}
          label="Add an email address"
          hint={role ?? <Kbd className={classes.key}>N</Kbd>}
          shortcut={canEdit ? 'n' : undefined}
          disabled={!canEdit}
          onClick={() => onOpen('add-email')}
        />
        <Action
          icon={IconSparkles}
          label="Clean the database"
          hint={role ?? (notSound ? `${formatNumber(notSound)} invalid or duplicate` : null)}
          disabled={!canEdit || stats?.totalEmails === 0}
          onClick={() => onOpen('clean')}
        />
        <Action
          icon={IconBan}
          label="Suppress a domain"
          hint={role}
          disabled={!canEdit}
          onClick={() => onOpen('suppress-domain')}
        />
        <Action
          icon={IconDownload}
          label="Export as CSV"
          hint={
            exporting ? (
              <Loader size={16} aria-label="Exporting" />
            ) : (
              stats && formatCount(stats.totalEmails, 'row')
            )
          }
          disabled={exporting || stats?.totalEmails === 0}
          onClick={onExport}
        />
      </ul>
    </Card>
  );
}

interface ActionProps {
  icon: Icon;
  label: string;
  /** On the right: a figure, a key, or why the action is not available. */
  hint: ReactNode;
  shortcut?: string | undefined;
  disabled?: boolean;
  onClick: () => void;
}

function Action({ icon: ActionIcon, label, hint, shortcut, disabled = false, onClick }: ActionProps) {
  return (
    <li>
      <UnstyledButton
        className={classes.action}
        disabled={disabled}
        aria-keyshortcuts={shortcut}
        onClick={onClick}
      >
        <ActionIcon size={16} stroke={1.6} className={classes.actionIcon} />
        <span className={classes.actionLabel}>{label}</span>
        <span className={classes.actionHint}>{hint}</span>
      </UnstyledButton>
    </li>
  );
}
