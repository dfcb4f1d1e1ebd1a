import { readFileSync, writeFileSync } from 'node:fs';
import packaged from 'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json' with {
  type: 'json',
};
import { globalProviders, ukProviders } from '#features/addresses/rules/providers.ts';

/**
 * `npm run lists:refresh`: makes src/features/addresses/rules/list-data.ts from the curated files in
 * src/features/addresses/lists and from the package of throwaway domains. The same input gives the same bytes.
 * With `--check` it only compares, and ends with 1 when the file is stale.
 */
const sources = 'src/features/addresses/lists';
const target = 'src/features/addresses/rules/list-data.ts';

const linesOf = (name: string): string[] =>
  readFileSync(`${sources}/${name}.txt`, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');

const sorted = (entries: Iterable<string>): string[] => [...new Set(entries)].sort();

/** The entries behind the first word of each line: `general info contact …`. */
function section(lines: readonly string[], name: string): string[] {
  return sorted(
    lines.filter((line) => line.startsWith(`${name} `)).flatMap((line) => line.split(/\s+/).slice(1)),
  );
}

const withParents = (domain: string): string[] =>
  domain.split('.').map((_, at, labels) => labels.slice(at).join('.'));

/**
 * The package's domains and ours, without real providers (a mistake there would throw away customers) and
 * without subdomains of what is listed anyway.
 */
function disposable(keep: ReadonlySet<string>): string[] {
  if (!Array.isArray(packaged) || packaged.length < 1000)
    throw new Error('The package has another shape than expected');
  const all = new Set<string>([
    ...linesOf('disposable'),
    ...packaged.map((entry) => String(entry).toLowerCase()),
  ]);
  const isWanted = (domain: string): boolean =>
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) &&
    !withParents(domain).some((parent) => keep.has(parent)) &&
    !withParents(domain)
      .slice(1)
      .some((parent) => all.has(parent));
  return sorted([...all].filter(isWanted));
}

function makeData(): string {
  const mailboxes = sorted(linesOf('mailboxes'));
  const neighbours = sorted(linesOf('neighbours').flatMap((line) => line.split(/\s+/)));
  const bodies = linesOf('public-bodies');
  const keep = new Set([
    ...mailboxes,
    ...neighbours,
    ...ukProviders,
    ...globalProviders,
    ...bodies.map((line) => line.split(' ')[1] as string),
  ]);
  const roles = linesOf('roles');
  const placeholders = linesOf('placeholders');
  const constants: [name: string, entries: string[]][] = [
    ['mailboxDomains', mailboxes],
    ['workDomains', sorted(linesOf('work-domains'))],
    ['neighbourDomains', neighbours],
    ['publicBodies', bodies],
    ['typoTargets', linesOf('typo-targets')],
    ['generalRoles', section(roles, 'general')],
    ['technicalRoles', section(roles, 'technical')],
    ['roleWords', section(roles, 'word')],
    ['placeholderLocals', section(placeholders, 'local')],
    ['placeholderDomains', section(placeholders, 'domain')],
    ['fillers', section(placeholders, 'filler')],
    ['disposableDomains', disposable(keep)],
  ];
  const text = constants.map(([name, entries]) => `export const ${name} = \`\n${entries.join('\n')}\n\`;\n`);
  return [
    '// Written by `npm run lists:refresh`. Do not edit: change src/features/addresses/lists and run it again.\n',
    ...text,
  ].join('\n');
}

const made = makeData();
if (!process.argv.includes('--check')) {
  writeFileSync(target, made);
} else if (readFileSync(target, 'utf8') !== made) {
  console.error(`${target} is not what its sources make. Run: npm run lists:refresh`);
  process.exitCode = 1;
}
