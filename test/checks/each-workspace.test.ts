import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The one loop over workspaces. It logs a failure and goes on with the next. */
const place = 'src/platform/server/each-workspace.ts';
/** It writes one change into the audit logs of somebody's workspaces: into all of them or none. */
const together = 'src/features/sign-in/server/users.ts';

/** Loops over what a function named after workspaces answers, or over ids named after them. */
const ownLoop =
  /\bfor\s*(?:await\s*)?\(\s*const\s+(?:workspace\w*\s+of|[^;]*?\sof\s+(?:\(?await\s+)?\w*workspaces\w*\b)|workspaces\(\)\)?\s*\.(?:map|forEach)\(/i;

it('one workspace that fails keeps no other waiting: work goes through them in one loop', () => {
  const files = globSync('src/**/server/**/*.ts').filter(
    (file) => !/\.test\.ts$/.test(file) && ![place, together].includes(file),
  );
  expect(files.length).toBeGreaterThan(300);
  // Write `await eachWorkspace(workspaces, { failed, log, signal }, (workspaceId) => …)`.
  expect(files.filter((file) => ownLoop.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it.each([
  'for (const workspaceId of await workspaces())',
  'for (const id of await selectWorkspaces(db))',
  'for (const id of workspaces)',
  '(await workspaces()).map((id) => id)',
])('sees a loop of its own: %s', (source) => expect(source).toMatch(ownLoop));
