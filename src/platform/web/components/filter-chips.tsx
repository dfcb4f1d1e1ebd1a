import { Button, Group, Menu, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { type FormEvent, Fragment, useState } from 'react';
import classes from './filter-chips.module.css';

export interface FilterField {
  /** The name in the screen's state: `status`. */
  key: string;
  /** "UK class". */
  label: string;
  options?: readonly { value: string; label: string }[];
  /** Free text instead of options: an example of what may be typed. */
  text?: string;
}

interface FilterChipsProps {
  fields: readonly FilterField[];
  /** What is chosen, by field: `{ status: ['active'] }`. One chip a value. */
  value: Record<string, readonly string[]>;
  onChange: (key: string, values: string[]) => void;
  /** One value at a time: choosing another takes the place of the first. */
  single?: boolean;
}

/** Chips for what is filtered by, and the dashed one that adds another. */
export function FilterChips({ fields, value, onChange, single = false }: FilterChipsProps) {
  const chosen = fields.flatMap((field) =>
    (value[field.key] ?? []).map((one) => ({
      field,
      value: one,
      label: field.options?.find((option) => option.value === one)?.label ?? one,
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
    </div>
  );
}

interface AddFilterProps extends Pick<FilterChipsProps, 'fields' | 'value'> {
  onAdd: (key: string, value: string) => void;
}

/** The dashed chip: a menu of what may be filtered by. A field of free text is asked for in the menu's place. */
function AddFilter({ fields, value, onAdd }: AddFilterProps) {
  const [asking, setAsking] = useState<FilterField | null>(null);
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
          <Menu position="bottom-start" width={200} returnFocus>
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
            <Menu.Dropdown>
              {fields.map((field) => {
                const left = (field.options ?? []).filter(
                  (option) => !value[field.key]?.includes(option.value),
                );
                return (
                  <Fragment key={field.key}>
                    {(left.length > 0 || field.text !== undefined) && <Menu.Label>{field.label}</Menu.Label>}
                    {left.map((option) => (
                      <Menu.Item key={option.value} onClick={() => onAdd(field.key, option.value)}>
                        {option.label}
                      </Menu.Item>
                    ))}
                    {field.text !== undefined && (
                      <Menu.Item onClick={() => setAsking(field)}>
                        Type a {field.label.toLowerCase()}…
                      </Menu.Item>
                    )}
                  </Fragment>
                );
              })}
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown p={12} role="dialog" aria-label={asking?.label}>
        {asking && (
          <TextFilter
            field={asking}
            onSubmit={(text) => {
              setAsking(null);
              if (text !== '') onAdd(asking.key, text);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function TextFilter({ field, onSubmit }: { field: FilterField; onSubmit: (text: string) => void }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} wrap="nowrap">
        <TextInput
          data-autofocus
          aria-label={field.label}
          placeholder={field.text ?? ''}
          value={text}
          maxLength={253}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  );
}
