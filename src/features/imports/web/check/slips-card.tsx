import { Checkbox } from '@mantine/core';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { ImportCheck } from '../../contract.ts';
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
export function SlipsCard({ check: { slips }, recheck, stale, locked }: SlipsCardProps) {
  if (slips.length === 0) return null;
  const { mend } = recheck;
  const rows = slips.reduce((sum, slip) => sum + slip.rows, 0);
  const choose = (next: string[]) => recheck.change({ reading: withMend(recheck, next) });
  const all = slips.map(({ from }) => from);
  const isAll = all.every((from) => mend.includes(from));
  return (
    <Card
      title="Probable slips"
      hint={`in ${formatCount(rows, 'row')}`}
      flush
      action={
        <TextButton disabled={locked} onClick={() => choose(isAll ? [] : all)}>
          {isAll ? 'Mend none' : 'Mend all'}
        </TextButton>
      }
    >
      <ul className={classes.list} data-stale={stale || undefined}>
        {slips.map(({ from, to, rows }) => (
          <li key={from} className={classes.slip}>
            <Checkbox
              label={`${from} for ${to}`}
              classNames={{ label: classes.label, body: classes.body }}
              checked={mend.includes(from)}
              disabled={locked}
              onChange={(event) =>
                choose(event.currentTarget.checked ? [...mend, from] : mend.filter((one) => one !== from))
              }
            />
            <span className={classes.count}>{formatNumber(rows)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.foot}>
        Mended ones are imported as they were meant. Review lists them under past decisions, and can undo
        them.
      </p>
    </Card>
  );
}
