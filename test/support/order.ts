import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Which kind begins first. */
const kinds = ['unit', 'integration', 'e2e'];

/** Short files that take as long as ten others. Whatever begins last is waited for alone. */
const longest = ['test/e2e/failing-calls.test.ts'];

/**
 * The order in which files begin: the longest, then kind by kind, and the larger files of a kind
 * first. Tests of books and rules come before those of screens, so that a slow machine whose time
 * is over (in-time.ts) leaves out few files and no rule.
 */
export default class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const turnOf = ({ moduleId, project }: TestSpecification): number =>
      longest.some((one) => moduleId.endsWith(one)) ? -1 : kinds.indexOf(project.name);
    return bySize.toSorted((one, other) => turnOf(one) - turnOf(other));
  }
}
