import { accuracyOfLabelledSet } from '#features/addresses/server/index.ts';
import type { Performance } from '../contract.ts';
import { measuredDays, percentOf, processingFigures, targets } from '../rules.ts';
import type { AdminOptions } from './admin-options.ts';
import { counts, sum } from './feature-figures.ts';
import { selectTimes } from './queries.ts';

export async function performanceNow({ db, figures, uptime }: AdminOptions): Promise<Performance> {
  const times = await selectTimes(db.system, measuredDays);
  const { addresses, right } = accuracyOfLabelledSet();
  const [speeds, up] = await Promise.all([
    Promise.all(counts(figures, 'imports').map((count) => count(db.system, times))),
    uptime.figures(measuredDays),
  ]);
  const speed = {
    imports: sum(speeds.map(({ imports }) => imports)),
    rows: sum(speeds.map(({ rows }) => rows)),
    seconds: sum(speeds.map(({ seconds }) => seconds)),
  };
  return {
    accuracy: { target: targets.accuracy, measured: percentOf(right, addresses), addresses, right },
    processing: { targetSeconds: targets.processingSeconds, ...processingFigures(speed) },
    uptime: { target: targets.uptime, ...up },
  };
}
