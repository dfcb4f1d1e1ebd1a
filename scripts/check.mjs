// `npm run check`: every check that does not run the product. Takes less than a minute.
import { existsSync } from 'node:fs';
import { runSteps } from './run.mjs';

// TypeScript 7 checks types in half the processor time. The tools that read source (knip,
// dependency-cruiser, scripts/structure.ts) need the programming interface of 6, which 7 has not.
const tsc = ['node', 'node_modules/typescript-native/bin/tsc'];

// The longest first, so that the short ones fill the gaps.
export const checks = [
  { name: 'types: server', command: [...tsc, '-p', 'tsconfig.json'] },
  { name: 'types: web', command: [...tsc, '-p', 'tsconfig.web.json'] },
  { name: 'dead code (knip)', command: ['knip', '--no-progress'] },
  {
    name: 'imports (dependency-cruiser)',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'src', 'test', 'bench'],
  },
  { name: 'types: shared', command: [...tsc, '-p', 'tsconfig.shared.json'] },
  { name: 'structure', command: ['node', 'scripts/structure.ts'], says: true },
  { name: 'format and lint (biome)', command: ['biome', 'ci', '--max-diagnostics=20'] },
  { name: 'db/schema.sql is fresh', command: ['node', 'scripts/schema.ts', '--check'] },
  { name: 'address lists are fresh', command: ['node', 'scripts/refresh-lists.ts', '--check'] },
  ...(existsSync('src/apps/openapi.ts')
    ? [{ name: 'docs/openapi.json is fresh', command: ['node', 'src/apps/openapi.ts', '--check'] }]
    : []),
];

if (import.meta.main ?? process.argv[1]?.endsWith('check.mjs')) {
  const { passed, failed } = await runSteps(checks);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
