import { Button } from '@mantine/core';
import { IconAddressBook, IconPlus } from '@tabler/icons-react';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { Match } from '../contract/segment-rules.ts';
import { addGroup, addRule, type Draft, isFinished, rulesIn } from './draft.ts';
import type { Edit } from './edit.ts';
import { firstRule, type Offered } from './fields.ts';
import { MatchChoice, RuleGroupBox } from './rule-group.tsx';
import { RuleList } from './rule-list.tsx';
import classes from './segments.module.css';
import type { DraftOnScreen } from './use-draft.ts';
import { type Figures, leftAfter } from './use-figures.ts';
import { useOffered } from './use-offered.ts';
import { useRuleDrag } from './use-rule-drag.ts';

interface RulesCardProps {
  screen: DraftOnScreen;
  figures: Figures;
}

/** The rules, one below the other, each with the contacts that it leaves. */
export function RulesCard({ screen, figures }: RulesCardProps) {
  const { draft, edit, said, place } = screen;
  const offered = useOffered();
  return (
    <Card
      title="Rules"
      hint={
        <MatchChoice
          label="How many rules and groups have to be true"
          match={draft.match}
          count={draft.rules.length + draft.groups.length}
          onChange={(match) => edit((before) => ({ ...before, match }))}
        />
      }
      action={<span className={classes.columnHead}>Contacts left</span>}
    >
      {offered.error && !offered.data ? (
        <ErrorState title="The fields could not be loaded" error={offered.error} />
      ) : (
        <div ref={place} className={classes.rules}>
          {offered.data && <Rules {...screen} offered={offered.data} figures={figures} />}
          <span className={classes.unseen} role="status">
            {said}
          </span>
        </div>
      )}
    </Card>
  );
}

const nothingCounted = { counts: new Map<number, number>(), isEstimate: false };

/** What stands between two of them. */
const between: Record<Match, string> = { all: 'and', any: 'or', none: 'nor' };

function Rules({
  draft,
  edit,
  marked,
  offered,
  figures: { preview, error },
}: DraftOnScreen & { offered: Offered; figures: Figures }) {
  const drag = useRuleDrag(edit);
  const left = preview ? leftAfter(draft, preview) : error ? nothingCounted : undefined;
  const shared = { offered, edit, marked, left, drag };
  let number = 1 + draft.rules.length;
  const groups = draft.groups.map((group, at) => {
    const firstNumber = number;
    number += group.rules.length;
    return (
      <div key={group.key} className={classes.joined}>
        {(at > 0 || draft.rules.length > 0) && <span className={classes.joint}>{between[draft.match]}</span>}
        <RuleGroupBox {...shared} group={group} number={at + 1} firstNumber={firstNumber} />
      </div>
    );
  });
  return (
    <>
      <div className={classes.everybody}>
        <IconAddressBook size={16} stroke={1.6} aria-hidden />
        <span>Every contact</span>
        <div className={classes.left}>{preview && formatNumber(preview.all)}</div>
      </div>
      <div className={classes.rootRules} data-place="root">
        <RuleList {...shared} place={null} rules={draft.rules} firstNumber={1} />
      </div>
      {groups}
      <Foot {...{ draft, edit, offered }} />
    </>
  );
}

function Foot({ draft, edit, offered }: { draft: Draft; edit: Edit; offered: Offered }) {
  const open = rulesIn(draft).filter((rule) => !isFinished(rule)).length;
  return (
    <div className={classes.foot}>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.6} />}
        data-control="add root"
        onClick={() => edit((before) => addRule(before, null, firstRule(offered)), { focus: 'added' })}
      >
        Rule
      </Button>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.6} />}
        onClick={() => edit((before) => addGroup(before, firstRule(offered)), { focus: 'added' })}
      >
        Group
      </Button>
      <span className={classes.hint} data-warns={open > 0 || undefined}>
        {open === 0
          ? 'Under All and None each rule narrows the ones above. Under Any each counts alone.'
          : `${formatCount(open, 'rule has', 'rules have')} no value yet. The figures leave ${open === 1 ? 'it' : 'them'} out.`}
      </span>
    </div>
  );
}
