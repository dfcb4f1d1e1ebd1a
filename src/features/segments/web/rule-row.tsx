import { ActionIcon, Menu, Select } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconGripVertical,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import type { Operator } from '../rules/operators.ts';
import { changeRule, duplicateRule, isFinished, type Rule, removeRule, stepRule } from './draft.ts';
import type { Edit } from './edit.ts';
import { type Field, fieldGroups, labelOfMissing, type Offered, withField, withOperator } from './fields.ts';
import classes from './segments.module.css';
import { ValueField } from './value-field.tsx';

export interface RuleRowProps {
  rule: Rule;
  /** Its number among all rules, for screen readers. */
  number: number;
  offered: Offered;
  edit: Edit;
  /** Unfinished rules are marked: somebody has tried to save them. */
  marked: boolean;
  /** The contacts left after it. Absent where nothing is counted. */
  left?: ReactNode;
  /** Moves it. Absent where the order does not matter. */
  mover?: {
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => void;
    drop: 'before' | 'after' | undefined;
  };
}

/** A rule: the field, the operator, the value, and how many contacts it leaves. */
export function RuleRow({ rule, number, offered, edit, marked, left, mover }: RuleRowProps) {
  const field = offered.fields.find(({ key }) => key === rule.field);
  const operators = operatorsFor(offered, field, rule.operator);
  const operator = operators.find(({ key }) => key === rule.operator);
  const change = (patch: Partial<Rule>) => edit((draft) => changeRule(draft, rule.key, patch));
  const name = `rule ${number}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that nobody sees
    <div
      role="group"
      aria-label={`Rule ${number}`}
      className={classes.rule}
      data-rule={rule.key}
      data-movable={mover !== undefined || undefined}
      data-drop={mover?.drop}
    >
      {mover && <Handle {...{ name, rule, edit }} onPointerDown={mover.onPointerDown} />}
      <Select
        className={classes.field}
        aria-label="Field"
        data-control={`field ${rule.key}`}
        searchable
        nothingFoundMessage="No such field"
        error={field === undefined}
        data={fieldGroups(offered, field ? undefined : rule.field)}
        value={rule.field}
        onChange={(key) => key !== null && change(withField(rule, offered, key))}
      />
      <Select
        className={classes.operator}
        aria-label="Operator"
        data={operators.map(({ key, label }) => ({ value: key, label }))}
        value={rule.operator}
        onChange={(key) => key !== null && change(withOperator(rule, offered, key as Operator))}
      />
      <div className={classes.value}>
        {operator && (
          <ValueField {...{ rule, field, operator }} error={marked && !isFinished(rule)} onChange={change} />
        )}
        {field === undefined && <p className={classes.wrong}>{goneWords(rule.field)}</p>}
        {marked && !isFinished(rule) && <p className={classes.wrong}>This rule needs a value.</p>}
      </div>
      {left !== undefined && <span className={classes.left}>{left}</span>}
      <span className={classes.ends}>
        {mover && <RuleMenu {...{ name, rule, edit }} />}
        <ActionIcon
          size={28}
          aria-label={`Remove ${name}`}
          data-control={`remove ${rule.key}`}
          onClick={() => edit((draft) => removeRule(draft, rule.key), { said: `Rule ${number} is removed.` })}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </span>
    </div>
  );
}

/** An extra field that no contact has can still be asked for. */
const goneWords = (key: string): string =>
  key.startsWith('attributes.')
    ? `No contact has a field “${labelOfMissing(key)}”.`
    : `There is no field “${labelOfMissing(key)}” any more.`;

/** Those that fit the field, and the one that the rule has. */
const operatorsFor = ({ operators }: Offered, field: Field | undefined, own: Operator) =>
  operators.filter(({ key }) => key === own || field?.operators.includes(key));

interface Named {
  /** `rule 3` */
  name: string;
  rule: Rule;
  edit: Edit;
}

/** Drags a rule. With the keyboard, the arrow keys move it, also into the next group. */
function Handle({
  name,
  rule,
  edit,
  onPointerDown,
}: Named & { onPointerDown: (event: PointerEvent<HTMLButtonElement>) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(edit, rule, event.key === 'ArrowUp' ? -1 : 1, `handle ${rule.key}`);
  };
  return (
    <ActionIcon
      size={24}
      className={classes.handle}
      aria-label={`Move ${name}: up and down arrows`}
      title="Drag, or press the up and down arrows"
      data-control={`handle ${rule.key}`}
      {...{ onPointerDown, onKeyDown }}
    >
      <IconGripVertical size={16} stroke={1.6} />
    </ActionIcon>
  );
}

const step = (edit: Edit, rule: Rule, by: 1 | -1, focus: string) =>
  edit((draft) => stepRule(draft, rule.key, by), {
    focus,
    said: by < 0 ? 'The rule is one further up.' : 'The rule is one further down.',
  });

const RuleMenu = ({ name, rule, edit }: Named) => (
  <RowMenu label={name}>
    {() => (
      <>
        <Menu.Item
          leftSection={<IconCopy size={16} stroke={1.6} />}
          onClick={() =>
            edit((draft) => duplicateRule(draft, rule.key), { said: 'The rule is there twice.' })
          }
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowUp size={16} stroke={1.6} />}
          onClick={() => step(edit, rule, -1, `handle ${rule.key}`)}
        >
          Move up
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={16} stroke={1.6} />}
          onClick={() => step(edit, rule, 1, `handle ${rule.key}`)}
        >
          Move down
        </Menu.Item>
        <Menu.Item
          data-danger
          leftSection={<IconTrash size={16} stroke={1.6} />}
          onClick={() => edit((draft) => removeRule(draft, rule.key), { said: 'The rule is removed.' })}
        >
          Remove
        </Menu.Item>
      </>
    )}
  </RowMenu>
);
