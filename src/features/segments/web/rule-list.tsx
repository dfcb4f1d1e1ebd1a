import type { Place, Rule } from './draft.ts';
import type { Edit } from './edit.ts';
import type { Offered } from './fields.ts';
import { LeftFigure } from './left-figure.tsx';
import { RuleRow } from './rule-row.tsx';
import type { Left } from './use-figures.ts';
import type { RuleDrag } from './use-rule-drag.ts';

export interface PlacedRules {
  place: Place;
  rules: readonly Rule[];
  /** The number of its first rule among all. */
  firstNumber: number;
  offered: Offered;
  edit: Edit;
  marked: boolean;
  left: Left | undefined;
  drag: RuleDrag;
}

/** The rules of a group, or those beside the groups. */
export const RuleList = ({ rules, firstNumber, left, drag, ...rest }: PlacedRules) =>
  rules.map((rule, at) => (
    <RuleRow
      key={rule.key}
      rule={rule}
      number={firstNumber + at}
      offered={rest.offered}
      edit={rest.edit}
      marked={rest.marked}
      left={<LeftFigure of={rule.key} left={left} />}
      mover={{ onPointerDown: drag.start(rule.key), drop: drag.markOf(`rule ${rule.key}`) }}
    />
  ));
