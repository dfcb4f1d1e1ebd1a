import { Button, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './visual.module.css';

interface ToolFormProps {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  /** The button of the toolbar that opens it. */
  tool: ReactNode;
  submitLabel: string;
  pending?: boolean;
  disabled?: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

/** A small form below a button of a toolbar. */
export const ToolForm = (props: ToolFormProps) => {
  const { opened, onOpen, tool, submitLabel, pending = false, disabled = false, onSubmit, children } = props;
  return (
    <Popover opened={opened} onChange={onOpen} trapFocus returnFocus withinPortal position="bottom">
      <Popover.Target>{tool}</Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes.linkForm}
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (!disabled && !pending) onSubmit();
          }}
        >
          {children}
          <Button type="submit" size="xs" loading={pending} disabled={disabled}>
            {submitLabel}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};
