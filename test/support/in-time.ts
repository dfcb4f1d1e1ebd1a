import { TestRunner } from 'vitest';

/** Seconds since 1970. Absent: there is no end. */
const { TEST_UNTIL = '' } = process.env;

/**
 * Begins no file any more once the time is over. Continuous integration has 25 minutes, also on a
 * machine that is slow today. `npm test` names what was left out.
 */
export default class InTime extends TestRunner {
  override async onBeforeRunSuite(suite: Parameters<TestRunner['onBeforeRunSuite']>[0]): Promise<void> {
    const isFile = 'filepath' in suite;
    if (isFile && TEST_UNTIL !== '' && Date.now() / 1000 > Number(TEST_UNTIL)) suite.mode = 'skip';
    await super.onBeforeRunSuite(suite);
  }
}
