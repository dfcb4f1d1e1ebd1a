import { ActionIcon, Drawer } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { type ReactNode, use, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { ShellSlotsContext } from './page.tsx';
import classes from './record-panel.module.css';
import { closedByUseEscape, useEscape } from './use-escape.ts';
import { useWide } from './use-phone.ts';

interface RecordPanelProps {
  opened: boolean;
  onClose: () => void;
  /** What it shows, for screen readers: the address. */
  label: string;
  /** "7 of 1,204,331". */
  position?: string;
  /** Absent when there is none. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** A `RowMenu` at the right of the head. */
  menu?: ReactNode;
  /** Buttons at the foot. The one that removes comes last. */
  actions?: ReactNode;
  /** Verdict first, then facts, then the timeline. */
  children: ReactNode;
}

/** One record beside its table, 392 wide. A drawer in windows narrower than 1200 px. */
export function RecordPanel(props: RecordPanelProps) {
  const { opened, onClose, label } = props;
  const { aside, setAsideOpen } = use(ShellSlotsContext);
  const wide = useWide();
  const beside = opened && wide;
  useEffect(() => {
    setAsideOpen(beside);
    return () => setAsideOpen(false);
  }, [beside, setAsideOpen]);
  useEscape(opened, onClose);
  if (wide) return opened && aside ? createPortal(<PanelBody {...props} />, aside) : null;
  return (
    // The drawer itself would close together with a dialog over it.
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size={392}
      padding={0}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={label} {...closedByUseEscape}>
        <Drawer.Body className={classes.drawerBody}>
          <PanelBody {...props} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function PanelBody({
  label,
  position,
  onPrevious,
  onNext,
  onClose,
  menu,
  actions,
  children,
}: RecordPanelProps) {
  return (
    <section className={classes.panel} aria-label={label}>
      <div className={classes.head}>
        <span className={classes.position}>{position}</span>
        <ActionIcon aria-label="Previous record" disabled={!onPrevious} onClick={onPrevious}>
          <IconChevronLeft size={18} stroke={1.6} />
        </ActionIcon>
        <ActionIcon aria-label="Next record" disabled={!onNext} onClick={onNext}>
          <IconChevronRight size={18} stroke={1.6} />
        </ActionIcon>
        {menu}
        <ActionIcon aria-label="Close the record" data-autofocus onClick={onClose}>
          <IconX size={18} stroke={1.6} />
        </ActionIcon>
      </div>
      <div className={classes.body}>{children}</div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </section>
  );
}
