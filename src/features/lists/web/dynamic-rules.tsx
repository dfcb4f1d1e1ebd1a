import { Button } from '@mantine/core';
import { type RefObject, useEffect } from 'react';
import type { SegmentRules } from '#features/segments/contract/segment-rules.ts';
import { asEdited, isSimple, rulesOf, SimpleRules, useDraft } from '#features/segments/web/index.ts';
import classes from './lists-page.module.css';

/** What the dialog asks of the rules in it. */
export interface RulesInDialog {
  /** The rules to save. Null when one is not finished, which is then marked. */
  finished: () => SegmentRules | null;
  /** The rules as they are, finished or not. */
  now: () => SegmentRules;
  /** The same. Undefined when they are as they were at first. */
  changed: () => SegmentRules | undefined;
}

export interface DynamicRulesProps {
  initial: SegmentRules;
  rules: RefObject<RulesInDialog | null>;
  /** Goes on in the editor, which can do more. */
  onMore: () => void;
}

/** The rules of a dynamic list within its dialog, as far as rows can show them. */
export default function DynamicRules({ initial, rules, onMore }: DynamicRulesProps) {
  const screen = useDraft(initial);
  const { draft, finished } = screen;
  useEffect(() => {
    const now = () => rulesOf(draft);
    const isChanged = () => JSON.stringify(now()) !== JSON.stringify(asEdited(initial));
    rules.current = { finished, now, changed: () => (isChanged() ? now() : undefined) };
    return () => {
      rules.current = null;
    };
  });
  const simple = isSimple(initial);
  return (
    <div className={classes.dynamic}>
      <span className={classes.dynamicHead}>Segment rules</span>
      {simple && <SimpleRules {...screen} />}
      <div className={classes.dynamicFoot}>
        <span>
          {simple
            ? 'Contacts are on the list while all of these rules are true of them. Without a rule, everybody is.'
            : 'These rules have more than fits here.'}
        </span>
        <Button size="xs" variant="default" onClick={onMore}>
          Groups, more fields and a live count
        </Button>
      </div>
    </div>
  );
}
