import { Checkbox } from '@mantine/core';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { ImportCheck } from '../../contract.ts';
import type { Mend } from '../../rules/slips.ts';
import classes from './do-not-mail-card.module.css';
import { withMend } from './reading-choice.ts';
import type { Recheck } from './use-check.ts';

interface SlipsCardProps {
  check: ImportCheck;
  recheck: Recheck;
  stale: boolean;
  locked: boolean;
}

/** Domains that are probably slips of another, and the choice to read them as they were meant. */
export function SlipsCard({ check: { slips, slipTotal }, recheck, stale, locked }: SlipsCardProps) {
  if (slips.length === 0) return null;
  const { mend } = recheck;
  const shownRows = slips.reduce((sum, slip) => sum + slip.rows, 0);
  const more = slipTotal.patterns - slips.length;
  const shown = slips.map(({ from }) => from);
  const isMended = (from: string) => mend === 'all' || mend.includes(from);
  const choose = (next: Mend) => recheck.change({ reading: withMend(recheck, next) });
  const one = (from: string, isChosen: boolean) =>
    choose(shown.filter((other) => (other === from ? isChosen : isMended(other))));
  return (
    <Card
      title="Probable slips"
      hint={`in ${formatCount(Math.max(slipTotal.rows, shownRows), 'row')}`}
      flush
      action={
        <TextButton disabled={locked} onClick={() => choose(mend === 'all' ? [] : 'all')}>
          {mend === 'all' ? 'Mend none' : 'Mend all'}
        </TextButton>
      }
    >
      <ul className={classes.list} data-stale={stale || undefined}>
        {slips.map(({ from, to, rows }) => (
          <li key={from} className={classes.slip}>
            <Checkbox
              label={`${from} for ${to}`}
              classNames={{ label: classes.label, body: classes.body }}
              checked={isMended(from)}
              disabled={locked}
              onChange={(event) => one(from, event.currentTarget.checked)}
            />
            <span className={classes.count}>{formatNumber(rows)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={classes.more}>
          {formatCount(more, 'rarer slip')} more, in {formatCount(slipTotal.rows - shownRows, 'row')}. Mend
          all takes them too.
        </p>
      )}
      <p className={classes.foot}>
        Mended ones are imported as they were meant. Review lists them under past decisions, and can undo
        them.
      </p>
    </Card>
  );
}
