import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Columns that say whom a row is about: a person, or a message to one. */
const ofSomebody = /^(?:\w+_)?(?:local|address|email|recipient)$|^addresses$|^contact_ids?$|^send_id$/;
/** Who writes campaigns, and where a session comes from. */
const ofOurs = /^(?:from|ip)_address$/;

/** Tables that erasing a person leaves alone, and why. */
const leftAlone: Record<string, string> = {
  event_inbox: 'numbers of contacts, on their way into the stream',
  events: 'numbers of contacts, which lead nowhere once the contact is gone; kept for some days',
  invitations: 'to users, who have an account of their own',
  membership_changes: 'numbers of contacts, to undo a change; they lead nowhere once the contact is gone',
  outbox: 'mail of the product to its users',
  sender_addresses: 'of the workspace itself',
  users: 'they have an account of their own',
};
/** Lent to one import at a time, and emptied by the next. */
const isSlot = (table: string) => /^import_(staging|judged)_\d$/.test(table);

const schema = readFileSync('db/schema.sql', 'utf8');
const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)/gm)]
  .map(([, name = '', body = '']) => ({
    name,
    columns: [...body.matchAll(/^ {2}(\w+) \w/gm)].map(([, column = '']) => column),
  }))
  .filter(({ columns }) => columns.some((column) => ofSomebody.test(column) && !ofOurs.test(column)))
  .map(({ name }) => name);

const owners = new Map<string, string>();
for (const file of globSync('db/migrations/*.sql').sort()) {
  const text = readFileSync(file, 'utf8');
  const made =
    /--[ \t]*owner:[ \t]*([a-z-]+)[^\n]*\n(?:[ \t]*--[^\n]*\n)*[ \t]*create\s+(?:unlogged\s+)?table\s+(\w+)/gi;
  for (const [, owner = '', table = ''] of text.matchAll(made)) owners.set(table, owner);
  const moved = /^--[ \t]*owner:[ \t]*([a-z-]+)[ \t]+owns[ \t]+([a-z_]+)[ \t]*$/gim;
  for (const [, owner = '', table = ''] of text.matchAll(moved)) owners.set(table, owner);
}
const erases = (feature: string) =>
  /^\s+personal\b/m.test(readFileSync(`src/features/${feature}/server/index.ts`, 'utf8'));
/** What a feature exports and erases, with the queries that it uses for that. */
function personalText(feature: string): string {
  const files = globSync(`src/features/${feature}/server/**/*.ts`).filter(
    (file) => !/index\.ts$/.test(file) && /\bPersonalData\b/.test(readFileSync(file, 'utf8')),
  );
  const used = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  );
  return [...files, ...used.filter((file) => existsSync(file))]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}
/** Who is on a list, and who has a tag, is erased by the feature that both share. */
const through: Record<string, string> = { list_members: 'memberships', contact_tags: 'memberships' };

it('what is held about people can be exported and erased, or says why not', () => {
  expect(tables.length).toBeGreaterThan(25);
  const forgotten = tables
    .filter((table) => !(table in leftAlone) && !isSlot(table))
    .filter((table) => !erases(through[table] ?? owners.get(table) ?? ''));
  expect(forgotten).toEqual([]);
  const unnamed = tables
    .filter((table) => !(table in leftAlone) && !isSlot(table) && !(table in through))
    .filter((table) => !new RegExp(`\\b${table}\\b`).test(personalText(owners.get(table) ?? '')));
  expect(unnamed).toEqual([]);
  expect(Object.keys(leftAlone).filter((table) => !tables.includes(table))).toEqual([]);
});
