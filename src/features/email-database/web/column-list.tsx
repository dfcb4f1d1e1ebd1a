import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listFields } from '#features/audience/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import classes from './column-list.module.css';
import { columnChoices } from './contact-columns.tsx';
import { useColumnOrder } from './use-column-order.ts';

export interface ColumnListProps {
  /** The columns besides the address, in order. */
  keys: readonly string[];
  /** Whether they differ from the usual columns. */
  isChosen: boolean;
  /** Where a choice is stored: "For you, in this workspace". */
  hint: string;
  /** Null for the usual columns. */
  onChoose: (keys: string[] | null) => void;
}

/** The shown columns in order, and the hidden ones. */
export function ColumnList({ keys, isChosen, hint, onChoose }: ColumnListProps) {
  const fields = useQuery(queryOptionsFor(listFields)).data?.items ?? [];
  const { list, shown, said, show, move, reset } = useColumnOrder(keys, onChoose);
  const hidden = columnChoices(fields).filter(({ key }) => !shown.some((one) => one.key === key));
  return (
    <>
      <div className={classes.list} ref={list}>
        <div className={classes.row}>
          <Checkbox
            label="Address"
            checked
            disabled
            classNames={{ body: classes.body, label: classes.label }}
          />
        </div>
        {shown.map(({ key, label }, index) => (
          <div key={key} className={classes.row}>
            <Shown columnKey={key} label={label} isShown onChange={() => show(key, label, false)} />
            <Mover columnKey={key} label={label} by={-1} disabled={index === 0} onMove={move} />
            <Mover columnKey={key} label={label} by={1} disabled={index === shown.length - 1} onMove={move} />
          </div>
        ))}
        {hidden.length > 0 && <div className={classes.head}>Not shown</div>}
        {hidden.map(({ key, label }) => (
          <div key={key} className={classes.row}>
            <Shown columnKey={key} label={label} isShown={false} onChange={() => show(key, label, true)} />
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        <span className={classes.hint}>{hint}</span>
        <Button size="xs" variant="subtle" disabled={!isChosen} onClick={reset}>
          Usual columns
        </Button>
      </div>
      <span className={classes.said} role="status">
        {said}
      </span>
    </>
  );
}

interface OneColumn {
  columnKey: string;
  label: string;
}

const Shown = ({
  columnKey,
  label,
  isShown,
  onChange,
}: OneColumn & { isShown: boolean; onChange: () => void }) => (
  <Checkbox
    label={label}
    checked={isShown}
    data-control={`show ${columnKey}`}
    classNames={{ root: classes.check, body: classes.body, label: classes.label }}
    onChange={onChange}
  />
);

interface MoverProps extends OneColumn {
  by: 1 | -1;
  disabled: boolean;
  onMove: (key: string, label: string, by: 1 | -1) => void;
}

const Mover = ({ columnKey, label, by, disabled, onMove }: MoverProps) => (
  <ActionIcon
    size={24}
    data-control={`${by < 0 ? 'up' : 'down'} ${columnKey}`}
    aria-label={`Move ${label} to the ${by < 0 ? 'left' : 'right'}`}
    disabled={disabled}
    onClick={() => onMove(columnKey, label, by)}
  >
    {by < 0 ? <IconArrowUp size={14} stroke={1.6} /> : <IconArrowDown size={14} stroke={1.6} />}
  </ActionIcon>
);
