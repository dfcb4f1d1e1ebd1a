import { type RefObject, useEffect, useRef, useState } from 'react';
import { moved, withColumn } from './column-order.ts';
import { columnLabel } from './contact-columns.tsx';

interface ColumnOrder {
  /** The element that holds the controls. */
  list: RefObject<HTMLDivElement | null>;
  shown: { key: string; label: string }[];
  /** The last action in words, for people who cannot see it. */
  said: string | undefined;
  show: (key: string, label: string, isShown: boolean) => void;
  move: (key: string, label: string, by: 1 | -1) => void;
  /** Restores the usual columns. */
  reset: () => void;
}

/**
 * The shown columns and their order while somebody chooses. Faster than the table can follow, and
 * by keyboard alone.
 */
export function useColumnOrder(
  keys: readonly string[],
  onChoose: (keys: string[] | null) => void,
): ColumnOrder {
  /** The control that had the focus. It would lose it when its row moves. */
  const [held, setHeld] = useState<{ control: string; words: string } | null>(null);
  /** The last choice, until the table has it. Keys may be pressed faster than that. */
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const isThere = wanted !== null && wanted.join('\n') === keys.join('\n');
  useEffect(() => {
    if (isThere) setWanted(null);
  }, [isThere]);
  const shown = (wanted ?? keys).flatMap((key) => {
    const label = columnLabel(key);
    return label === undefined ? [] : [{ key, label }];
  });
  const order = shown.map(({ key }) => key);
  const list = useHeldFocus(held?.control, order);

  const choose = (next: string[]) => {
    setWanted(next);
    onChoose(next);
  };
  const show = (key: string, label: string, isShown: boolean) => {
    choose(withColumn(order, key, isShown));
    setHeld({ control: `show ${key}`, words: isShown ? `${label} is shown` : `${label} is hidden` });
  };
  const move = (key: string, label: string, by: 1 | -1) => {
    const next = moved(order, key, by);
    choose(next);
    const words = `${label} is column ${next.indexOf(key) + 2} of ${next.length + 1}`;
    setHeld({ control: `${by < 0 ? 'up' : 'down'} ${key}`, words });
  };
  const reset = () => {
    setWanted(null);
    onChoose(null);
  };
  return { list, shown, said: held?.words, show, move, reset };
}

/**
 * Returns the focus to a control whose row has moved, or to the row's other control if that one is
 * now disabled.
 */
function useHeldFocus(control: string | undefined, order: readonly string[]) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (control === undefined) return;
    const controls = [...(list.current?.querySelectorAll<HTMLElement>('[data-control]') ?? [])];
    const key = control.slice(control.indexOf(' ') + 1);
    const wanted = controls.find(({ dataset }) => dataset.control === control);
    // At an end of the list one arrow is disabled, but the row's other arrow is not.
    const other = controls.find((one) => one.dataset.control?.endsWith(` ${key}`) && !isOff(one));
    (wanted && !isOff(wanted) ? wanted : other)?.focus();
  }, [control, order.join('\n')]);
  return list;
}

const isOff = (control: HTMLElement): boolean => control.matches(':disabled, [data-disabled]');
