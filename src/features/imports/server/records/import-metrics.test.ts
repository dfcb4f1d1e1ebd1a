import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { countImportsIn } from './import-metrics.ts';

it('counts imports by how they ended, and the rows of those that completed', async () => {
  const registry = new Registry();
  const count = countImportsIn(registry);
  count({ outcome: 'completed', seconds: 3, rows: { imported: 90, invalid: 10 } });
  count({ outcome: 'failed', seconds: 1, rows: { imported: 5 } });
  const text = await registry.metrics();
  expect(text).toContain('import_rows_total{fate="imported"} 90');
  expect(text).toContain('import_rows_total{fate="invalid"} 10');
  expect(text).toContain('imports_total{outcome="completed"} 1');
  expect(text).toContain('imports_total{outcome="failed"} 1');
  expect(text).toContain('import_duration_seconds_sum{outcome="completed"} 3');
});
