import { Button, Menu, UnstyledButton } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { Fragment } from 'react';
import classes from './filter-chips.module.css';

export interface FilterField {
  /** The name in the screen's state: `status`. */
  key: string;
  /** "UK class". */
  label: string;
  options: readonly { value: string; label: string }[];
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
      label: field.options.find((option) => option.value === one)?.label ?? one,
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
      <Menu position="bottom-start" width={200}>
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
            const left = field.options.filter((option) => !value[field.key]?.includes(option.value));
            return (
              <Fragment key={field.key}>
                {left.length > 0 && <Menu.Label>{field.label}</Menu.Label>}
                {left.map((option) => (
                  <Menu.Item key={option.value} onClick={() => add(field.key, option.value)}>
                    {option.label}
                  </Menu.Item>
                ))}
              </Fragment>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
