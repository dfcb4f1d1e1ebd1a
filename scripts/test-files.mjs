// Finds the tests and the features they belong to. A test in a feature's folder belongs to it. A
// test in `test/` names its features in its first line: `// Tests of: views, contacts`.
// `npm test -- views` runs the tests of views.
import { globSync, readdirSync, readFileSync } from 'node:fs';

/** The features, then what they build on. */
export const areas = [...readdirSync('src/features').toSorted(), 'platform', 'apps'];

export const testFiles = () => globSync(['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts']).toSorted();

/**
 * Whose tests a file holds. An empty list means that they are for everything, such as the checks of
 * the code itself.
 */
export function areasOf(file) {
  const [top, area, feature] = file.split('/');
  if (top === 'src') return [area === 'features' ? feature : area];
  const named = /^\/\/ Tests of: (.+)$/m.exec(readFileSync(file, 'utf8').slice(0, 500));
  return named ? named[1].split(', ') : [];
}
