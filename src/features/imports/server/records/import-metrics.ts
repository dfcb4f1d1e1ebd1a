import { Counter, Histogram, type Registry } from 'prom-client';

export interface FinishedImport {
  outcome: 'completed' | 'failed';
  seconds: number;
  /** Rows by fate: imported, duplicates, invalid, suppressed, nonUk. */
  rows: Record<string, number>;
}

/** Counts finished imports, their rows and their time in the product's metrics. */
export function countImportsIn(registry: Registry): (finished: FinishedImport) => void {
  const registers = [registry];
  const imports = new Counter({
    name: 'imports_total',
    help: 'Imports that ended',
    labelNames: ['outcome'],
    registers,
  });
  const rows = new Counter({
    name: 'import_rows_total',
    help: 'Rows of completed imports by their fate',
    labelNames: ['fate'],
    registers,
  });
  const seconds = new Histogram({
    name: 'import_duration_seconds',
    help: 'How long imports took',
    labelNames: ['outcome'],
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600],
    registers,
  });
  return (finished) => {
    imports.inc({ outcome: finished.outcome });
    seconds.observe({ outcome: finished.outcome }, finished.seconds);
    if (finished.outcome !== 'completed') return;
    for (const [fate, count] of Object.entries(finished.rows)) rows.inc({ fate }, count);
  };
}
