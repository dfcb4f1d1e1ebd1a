import { Button, Menu, Popover, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconFilter, IconX } from '@tabler/icons-react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { dayRangeWords, recentRanges } from '../day-range.ts';
import classes from './filter-chips.module.css';
import type { FilterField } from './filter-field.ts';
import { AskedFilter } from './filter-value.tsx';

interface FilterChipsProps {
  fields: readonly FilterField[];
  /** The chosen values, by field: `{ status: ['active'] }`. One chip per value. */
  value: Record<string, readonly string[]>;
  onChange: (key: string, values: string[]) => void;
  /** One value at a time: a new choice replaces the first. */
  single?: boolean;
  /** In the same row, before and after the chips: the open view, and the button that saves it. */
  lead?: ReactNode;
  trail?: ReactNode;
}

/** Chips for the active filters, and the dashed chip that adds one. */
export function FilterChips({ fields, value, onChange, single = false, lead, trail }: FilterChipsProps) {
  const chosen = fields.flatMap((field) =>
    (value[field.key] ?? []).map((one) => ({
      field,
      value: one,
      label: field.days
        ? dayRangeWords(one)
        : (field.options?.find((option) => option.value === one)?.label ?? one),
    })),
  );
  const add = (key: string, one: string) => onChange(key, single ? [one] : [...(value[key] ?? []), one]);
  const remove = (key: string, one: string) =>
    onChange(
      key,
      (value[key] ?? []).filter((other) => other !== one),
    );
  return (
    <div className={classes.chips}>
      {lead}
      {chosen.map(({ field, value: one, label }) => (
        <span key={`${field.key}:${one}`} className={classes.chip}>
          <span className={classes.field}>{field.label}</span>
          <span className={classes.value}>{label}</span>
          <UnstyledButton
            className={classes.remove}
            aria-label={`Remove the filter ${field.label} ${label}`}
            onClick={() => remove(field.key, one)}
          >
            <IconX size={14} stroke={1.6} />
          </UnstyledButton>
        </span>
      ))}
      <AddFilter fields={fields} value={value} onAdd={add} />
      {trail}
    </div>
  );
}

interface AddFilterProps extends Pick<FilterChipsProps, 'fields' | 'value'> {
  onAdd: (key: string, value: string) => void;
}

/**
 * With more fields than this, people first choose a field and then a value. Otherwise the menu
 * would be taller than the window.
 */
const flatFields = 2;

/**
 * The dashed chip: a menu of possible filters. For a value that must be typed, a field replaces the
 * menu.
 */
function AddFilter({ fields, value, onAdd }: AddFilterProps) {
  const [asking, setAsking] = useState<FilterField | null>(null);
  const [field, setField] = useState<FilterField | null>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  const step = field?.key;
  // The item that had the focus is gone, so focus the first new one.
  useEffect(() => {
    if (opened && step !== undefined) menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [opened, step]);
  const change = (isOpen: boolean) => {
    setOpened(isOpen);
    if (isOpen) setField(null);
  };
  const parts = { value, onAdd, onAsk: setAsking };
  return (
    <Popover
      opened={asking !== null}
      onDismiss={() => setAsking(null)}
      position="bottom-start"
      withRoles={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <span className={classes.adder}>
          <Menu position="bottom-start" width={220} returnFocus opened={opened} onChange={change}>
            <Menu.Target>
              <Button
                size="xs"
                variant="default"
                className={classes.add}
                leftSection={<IconFilter size={14} stroke={1.6} />}
              >
                Filter
              </Button>
            </Menu.Target>
            <Menu.Dropdown ref={menu} className={classes.menu}>
              {field !== null && (
                <>
                  <Menu.Item
                    closeMenuOnClick={false}
                    leftSection={<IconChevronLeft size={14} stroke={1.6} />}
                    onClick={() => setField(null)}
                  >
                    {field.label}
                  </Menu.Item>
                  <Menu.Divider />
                  <FieldItems field={field} {...parts} />
                </>
              )}
              {field === null &&
                fields.length > flatFields &&
                fields.map((one) => (
                  <Menu.Item
                    key={one.key}
                    closeMenuOnClick={false}
                    rightSection={<IconChevronRight size={14} stroke={1.6} />}
                    onClick={() => setField(one)}
                  >
                    {one.label}
                  </Menu.Item>
                ))}
              {field === null &&
                fields.length <= flatFields &&
                fields.map((one) => (
                  <Fragment key={one.key}>
                    <Menu.Label>{one.label}</Menu.Label>
                    <FieldItems field={one} {...parts} />
                  </Fragment>
                ))}
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown p={12} role="dialog" aria-label={asking?.label}>
        {asking && (
          <AskedFilter
            field={asking}
            value={value[asking.key]?.[0] ?? ''}
            onSubmit={(one) => {
              setAsking(null);
              if (one !== '') onAdd(asking.key, one);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface FieldItemsProps extends Pick<AddFilterProps, 'value' | 'onAdd'> {
  field: FilterField;
  onAsk: (field: FilterField) => void;
}

/** The values that one field can filter by. */
function FieldItems({ field, value, onAdd, onAsk }: FieldItemsProps) {
  const offered = field.days ? recentRanges(new Date()) : (field.options ?? []);
  const left = offered.filter((option) => !value[field.key]?.includes(option.value));
  return (
    <>
      {left.map((option) => (
        <Menu.Item key={option.value} onClick={() => onAdd(field.key, option.value)}>
          <span className={classes.option}>{option.label}</span>
        </Menu.Item>
      ))}
      {field.text !== undefined && (
        <Menu.Item onClick={() => onAsk(field)}>Type a {field.label.toLowerCase()}…</Menu.Item>
      )}
      {field.days && <Menu.Item onClick={() => onAsk(field)}>Choose days…</Menu.Item>}
      {left.length === 0 && field.text === undefined && !field.days && (
        <Menu.Label>Nothing more to choose from</Menu.Label>
      )}
    </>
  );
}
