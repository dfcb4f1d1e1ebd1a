import { ActionBar, Button } from '@mantine/core';
import { createContext, use, useState } from 'react';
import type { Icon } from '../feature.ts';
import { formatNumber } from '../format.ts';
import classes from './selection-bar.module.css';
import { useEscape } from './use-escape.ts';
import { useRoomFor } from './use-room-for.ts';
import type { Selection } from './use-selection.ts';

/**
 * The bar's distance from the window's edges. The shell sets the widths of its sidebar and record
 * panel.
 */
export const FloatingAreaContext = createContext<{ left: number; right: number }>({ left: 0, right: 0 });

export interface BulkAction {
  label: string;
  /** In a menu, which names whom as well. Absent: "Delete selected". */
  inMenu?: string;
  icon: Icon;
  onClick: () => void;
  danger?: boolean;
  pending?: boolean;
}

const barBottom = 62;

interface SelectionBarProps<K extends string | number> {
  selection: Selection<K>;
  /**
   * The number of rows that match the filter. Offers "Select all 1,204,331" when more rows match
   * than are selected.
   */
  total?: number;
  actions: readonly BulkAction[];
}

/**
 * Floats above the footer while rows are selected. Nothing else moves. Escape clears the selection.
 */
export function SelectionBar<K extends string | number>({ selection, total, actions }: SelectionBarProps<K>) {
  const { left, right } = use(FloatingAreaContext);
  const count = selection.everything ? (total ?? selection.keys.size) : selection.keys.size;
  useEscape(count > 0, selection.clear);
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  useRoomFor(bar, barBottom);
  const offersAll = total !== undefined && !selection.everything && count < total;
  return (
    <ActionBar
      ref={setBar}
      opened={count > 0}
      onClose={selection.clear}
      withinPortal={false}
      aria-label="Actions for the selection"
      position={{ bottom: barBottom, left, right }}
      shadow="md"
      radius="lg"
      zIndex={150}
      transitionProps={{ duration: 80, transition: 'fade', timingFunction: 'ease-out' }}
      classNames={{ root: classes.bar, divider: classes.divider }}
    >
      <span className={classes.count} aria-live="polite">
        {formatNumber(count)} selected
      </span>
      {offersAll && (
        <button type="button" className={classes.all} onClick={selection.selectEverything}>
          Select all {formatNumber(total)}
        </button>
      )}
      <ActionBar.Divider />
      <div className={classes.actions}>
        {actions.map(({ label, icon: ActionIcon, onClick, danger = false, pending = false }) => (
          <Button
            key={label}
            size="xs"
            variant="subtle"
            color={danger ? 'red' : 'gray'}
            loading={pending}
            leftSection={<ActionIcon size={16} stroke={1.6} />}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
      </div>
      <ActionBar.Divider />
      <ActionBar.CloseButton aria-label="Clear the selection" />
    </ActionBar>
  );
}
