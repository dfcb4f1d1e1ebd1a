import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { listFields } from '#features/audience/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import classes from './column-chooser.module.css';
import { moved, withColumn } from './column-order.ts';
import { columnChoices, columnLabel } from './contact-columns.tsx';
import actions from './list-actions.module.css';

interface ColumnChooserProps {
  /** The columns beside the address, in order. */
  keys: readonly string[];
  /** Whether they are others than the usual ones. */
  isChosen: boolean;
  /** Where a choice is kept: "For you, in this workspace". */
  hint: string;
  /** Null for the usual ones. */
  onChoose: (keys: string[] | null) => void;
}

/** Which columns the table shows, and in which order. A change shows at once. */
export function ColumnChooser(props: ColumnChooserProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={actions.gives}
          title="Columns"
          leftSection={<IconColumns3 size={14} stroke={1.6} />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} role="dialog" aria-label="Columns">
        <ColumnList {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ColumnList({ keys, isChosen, hint, onChoose }: ColumnChooserProps) {
  const fields = useQuery(queryOptionsFor(listFields)).data?.items ?? [];
  const list = useRef<HTMLDivElement>(null);
  /** The control that had the focus: a row that moves would lose it. */
  const [held, setHeld] = useState<{ control: string; words: string } | null>(null);
  /** What was chosen last, until the table has it: keys may be pressed faster than that. */
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
  const hidden = columnChoices(fields).filter(({ key }) => !order.includes(key));

  useEffect(() => {
    if (held === null) return;
    const controls = [...(list.current?.querySelectorAll<HTMLElement>('[data-control]') ?? [])];
    const key = held.control.slice(held.control.indexOf(' ') + 1);
    const wanted = controls.find(({ dataset }) => dataset.control === held.control);
    // At an end the arrow is switched off; the other one of the row is not.
    const other = controls.find((one) => one.dataset.control?.endsWith(` ${key}`) && !isOff(one));
    (wanted && !isOff(wanted) ? wanted : other)?.focus();
  }, [held, order.join('\n')]);

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
            <Checkbox
              label={label}
              checked
              data-control={`show ${key}`}
              classNames={{ root: classes.check, body: classes.body, label: classes.label }}
              onChange={() => show(key, label, false)}
            />
            <ActionIcon
              size={24}
              data-control={`up ${key}`}
              aria-label={`Move ${label} to the left`}
              disabled={index === 0}
              onClick={() => move(key, label, -1)}
            >
              <IconArrowUp size={14} stroke={1.6} />
            </ActionIcon>
            <ActionIcon
              size={24}
              data-control={`down ${key}`}
              aria-label={`Move ${label} to the right`}
              disabled={index === shown.length - 1}
              onClick={() => move(key, label, 1)}
            >
              <IconArrowDown size={14} stroke={1.6} />
            </ActionIcon>
          </div>
        ))}
        {hidden.length > 0 && <div className={classes.head}>Not shown</div>}
        {hidden.map(({ key, label }) => (
          <div key={key} className={classes.row}>
            <Checkbox
              label={label}
              checked={false}
              data-control={`show ${key}`}
              classNames={{ root: classes.check, body: classes.body, label: classes.label }}
              onChange={() => show(key, label, true)}
            />
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        <span className={classes.hint}>{hint}</span>
        <Button
          size="xs"
          variant="subtle"
          disabled={!isChosen}
          onClick={() => {
            setWanted(null);
            onChoose(null);
          }}
        >
          Usual columns
        </Button>
      </div>
      <span className={classes.said} role="status">
        {held?.words}
      </span>
    </>
  );
}

const isOff = (control: HTMLElement): boolean => control.matches(':disabled, [data-disabled]');
