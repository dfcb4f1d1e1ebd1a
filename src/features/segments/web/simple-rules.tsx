import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ErrorLine } from '#platform/web/components/states.tsx';
import type { SegmentRules } from '../contract/segment-rules.ts';
import { addRule } from './draft.ts';
import { firstRule, only, specifiedFields, specifiedOperators } from './fields.ts';
import { RuleRow } from './rule-row.tsx';
import classes from './segments.module.css';
import type { DraftOnScreen } from './use-draft.ts';
import { useOffered } from './use-offered.ts';

/** Rules that the dialog of a list can show: the specification's fields and operators, all true. */
export const isSimple = ({ match = 'all', conditions = [], groups = [] }: SegmentRules): boolean =>
  match === 'all' &&
  groups.length === 0 &&
  conditions.every(
    ({ field, operator }) =>
      specifiedFields.some((one) => one === field) && specifiedOperators.includes(operator),
  );

/** The rules of a list as rows of field, operator and value. All of them have to be true. */
export function SimpleRules({ draft, edit, marked, place, said }: DraftOnScreen) {
  const { data, error } = useOffered();
  const offered = useMemo(() => data && only(data, specifiedFields, specifiedOperators), [data]);
  if (error && !offered) return <ErrorLine title="The fields could not be loaded." error={error} />;
  if (!offered) return null;
  return (
    <div ref={place} className={classes.simple}>
      {draft.rules.map((rule, at) => (
        <RuleRow key={rule.key} {...{ rule, offered, edit, marked }} number={at + 1} />
      ))}
      <Button
        size="xs"
        variant="default"
        className={classes.add}
        leftSection={<IconPlus size={16} stroke={1.6} />}
        data-control="add root"
        onClick={() => edit((before) => addRule(before, null, firstRule(offered)), { focus: 'added' })}
      >
        Rule
      </Button>
      <span className={classes.unseen} role="status">
        {said}
      </span>
    </div>
  );
}
