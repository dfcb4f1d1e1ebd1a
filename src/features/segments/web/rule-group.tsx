import { Button, Menu, SegmentedControl } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import type { Match } from '../contract/segment-rules.ts';
import { addRule, changeGroup, duplicateGroup, type RuleGroup, removeGroup, stepGroup } from './draft.ts';
import type { Edit } from './edit.ts';
import { firstRule, type Offered } from './fields.ts';
import { LeftFigure } from './left-figure.tsx';
import { type PlacedRules, RuleList } from './rule-list.tsx';
import classes from './segments.module.css';
import type { Left } from './use-figures.ts';

interface MatchChoiceProps {
  match: Match;
  /** How many it is about. */
  count: number;
  /** "Rules of group 2". */
  label: string;
  onChange: (match: Match) => void;
}

/** Whether all, any or none of some rules have to be true. */
export const MatchChoice = ({ match, count, label, onChange }: MatchChoiceProps) => (
  <span className={classes.match}>
    <SegmentedControl
      size="xs"
      aria-label={label}
      data={[
        { value: 'all', label: 'All' },
        { value: 'any', label: 'Any' },
        { value: 'none', label: 'None' },
      ]}
      value={match}
      onChange={(value) => onChange(value as Match)}
    />
    <span>of these {count}</span>
  </span>
);

interface RuleGroupProps extends Omit<PlacedRules, 'place' | 'rules' | 'firstNumber'> {
  group: RuleGroup;
  number: number;
  firstNumber: number;
  offered: Offered;
  edit: Edit;
  left: Left | undefined;
}

/** Rules that count as one. */
export function RuleGroupBox({ group, number, firstNumber, ...rest }: RuleGroupProps) {
  const { offered, edit, left, drag } = rest;
  const name = `group ${number}`;
  return (
    <section className={classes.group} aria-label={`Group ${number}`} data-place={group.key}>
      <div className={classes.groupHead} data-drop={drag.markOf(`place ${group.key}`)}>
        <MatchChoice
          label={`How many rules of ${name} have to be true`}
          match={group.match}
          count={group.rules.length}
          onChange={(match) => edit((draft) => changeGroup(draft, group.key, match))}
        />
        <span className={classes.left} data-strong>
          <LeftFigure of={group.key} left={left} />
        </span>
        <GroupMenu name={name} groupKey={group.key} edit={edit} />
      </div>
      <div className={classes.groupRules}>
        <RuleList {...rest} place={group.key} rules={group.rules} firstNumber={firstNumber} />
        <Button
          size="xs"
          variant="subtle"
          className={classes.add}
          leftSection={<IconPlus size={16} stroke={1.6} />}
          aria-label={`Add a rule to ${name}`}
          data-control={`add ${group.key}`}
          onClick={() => edit((draft) => addRule(draft, group.key, firstRule(offered)), { focus: 'added' })}
        >
          Rule
        </Button>
      </div>
    </section>
  );
}

const GroupMenu = ({ name, groupKey, edit }: { name: string; groupKey: number; edit: Edit }) => (
  <RowMenu label={name}>
    {() => (
      <>
        <Menu.Item
          leftSection={<IconCopy size={16} stroke={1.6} />}
          onClick={() =>
            edit((draft) => duplicateGroup(draft, groupKey), { said: 'The group is there twice.' })
          }
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowUp size={16} stroke={1.6} />}
          onClick={() =>
            edit((draft) => stepGroup(draft, groupKey, -1), { said: 'The group is further up.' })
          }
        >
          Move up
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={16} stroke={1.6} />}
          onClick={() =>
            edit((draft) => stepGroup(draft, groupKey, 1), { said: 'The group is further down.' })
          }
        >
          Move down
        </Menu.Item>
        <Menu.Item
          data-danger
          leftSection={<IconTrash size={16} stroke={1.6} />}
          onClick={() => edit((draft) => removeGroup(draft, groupKey), { said: 'The group is removed.' })}
        >
          Remove with its rules
        </Menu.Item>
      </>
    )}
  </RowMenu>
);
