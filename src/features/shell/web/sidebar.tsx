import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { WorkspaceSwitcher } from '#features/team/web/index.ts';
import { LogoMark } from '#platform/web/components/logo.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { type NavEntry, navSections } from '#platform/web/feature.ts';
import { formatTime, initials } from '#platform/web/format.ts';
import { isCurrent } from './is-current.ts';
import classes from './sidebar.module.css';
import { useEntries } from './use-entries.ts';

/**
 * Where everything is: the workspace, the registered screens in their sections, and the time of the
 * last sync.
 */
export function Sidebar({ onClose }: { onClose: () => void }) {
  const { workspace } = useCurrentUser();
  const { screens } = useEntries();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const sections = useMemo(() => {
    return navSections
      .map((name) => ({
        name,
        entries: screens.filter(({ section }) => section === name).sort((a, b) => a.order - b.order),
      }))
      .filter((section) => section.entries.length > 0);
  }, [screens]);
  // The device's own time when the sidebar is drawn for a screen.
  const synced = useMemo(() => formatTime(new Date()), [path]);
  return (
    <>
      <div className={classes.brand}>
        <LogoMark />
        <div>
          <div className={classes.name}>Email Manager</div>
          <div className={classes.subtitle}>Marketing Database</div>
        </div>
      </div>
      <WorkspaceSwitcher>
        <div className={classes.workspace}>
          <span className={classes.initials} aria-hidden>
            {initials(workspace.name)}
          </span>
          <span className={classes.workspaceName} title={workspace.name}>
            {workspace.name}
          </span>
        </div>
      </WorkspaceSwitcher>
      <div className={classes.sections}>
        {sections.map(({ name, entries }) => (
          <div key={name} className={classes.section}>
            {name !== 'End' && (
              <div className={classes.heading} id={`nav-${name}`}>
                {name}
              </div>
            )}
            <ul className={classes.list} aria-labelledby={name === 'End' ? undefined : `nav-${name}`}>
              {entries.map((entry) => (
                <li key={entry.to}>
                  <NavItem entry={entry} current={isCurrent(entry, path)} onClick={onClose} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={classes.foot}>Last sync: {synced}</div>
    </>
  );
}

function NavItem({ entry, current, onClick }: { entry: NavEntry; current: boolean; onClick: () => void }) {
  const { label, to, icon: EntryIcon, count, counted = ['', ''] } = entry;
  return (
    <Link to={to} className={classes.item} aria-current={current ? 'page' : undefined} onClick={onClick}>
      <EntryIcon size={17} stroke={1.6} className={classes.icon} />
      <span className={classes.label}>{label}</span>
      {count && <NavCount options={count()} counted={counted} />}
    </Link>
  );
}

interface NavCountProps {
  options: ReturnType<NonNullable<NavEntry['count']>>;
  counted: NonNullable<NavEntry['counted']>;
}

function NavCount({ options, counted }: NavCountProps) {
  const { data } = useQuery(options);
  if (!data) return null;
  const words = data === '1' ? counted[0] : counted[1];
  return (
    <span className={classes.count} title={`${data} ${words}`}>
      {data}
      <VisuallyHidden> {words}</VisuallyHidden>
    </span>
  );
}
