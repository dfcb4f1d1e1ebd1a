import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The report of a run for `scripts/test.mjs`, in `.tmp/tests.json`. */
export interface RunReport {
  files: FileReport[];
  /** Errors outside every test, such as a server that did not start. */
  errors: number;
}

export interface FileReport {
  kind: string;
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  /** The names of the failed tests. */
  failures: string[];
  /** Tests that passed only on a retry. They count as failed. */
  retried: string[];
  /** Milliseconds of a worker's time: loading the file, set-up and tear-down, and its tests. */
  ms: { load: number; hooks: number; tests: number };
}

/** Counts what ran and how long it took, for each file. */
export default class Report implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const report: RunReport = { files: modules.map(fileReport), errors: errors.length };
    mkdirSync('.tmp', { recursive: true });
    writeFileSync('.tmp/tests.json', JSON.stringify(report));
  }
}

function fileReport(module: TestModule): FileReport {
  const tests = [...module.children.allTests()];
  const retried = tests.filter((test) => test.diagnostic()?.flaky).map(({ fullName }) => fullName);
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  const inTests = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
  const failures = inState('failed').map(({ fullName }) => fullName);
  // If a file could not be loaded or its hooks failed, none of its tests may have failed.
  if (module.state() === 'failed' && failures.length === 0) failures.push('outside its tests');
  return {
    kind: module.project.name,
    file: relative(process.cwd(), module.moduleId),
    passed: inState('passed').length - retried.length,
    failed: failures.length + retried.length,
    skipped: inState('skipped').length,
    failures: [...failures, ...retried],
    retried,
    ms: {
      load: collectDuration + setupDuration + prepareDuration,
      hooks: Math.max(0, duration - inTests),
      tests: inTests,
    },
  };
}
