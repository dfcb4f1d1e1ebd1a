import { readFileSync, writeFileSync } from 'node:fs';
import packaged from 'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json' with {
  type: 'json',
};
import { globalProviders, ukProviders } from '#features/addresses/rules/providers.ts';
import { letterScores } from './letter-model.ts';

/**
 * `npm run lists:refresh` writes src/features/addresses/rules/list-data.ts from the curated files
 * in src/features/addresses/lists and the package of throwaway domains. The same input gives the
 * same bytes. With `--check` it only compares, and exits with 1 when the file is stale.
 */
const sources = 'src/features/addresses/lists';
const target = 'src/features/addresses/rules/list-data.ts';
const pageFile = 'docs/address-lists.md';

const linesOf = (name: string): string[] =>
  readFileSync(`${sources}/${name}.txt`, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');

const sorted = (entries: Iterable<string>): string[] => [...new Set(entries)].sort();

/** The entries after the first word of each line: `general info contact …`. */
function section(lines: readonly string[], name: string): string[] {
  return sorted(
    lines.filter((line) => line.startsWith(`${name} `)).flatMap((line) => line.split(/\s+/).slice(1)),
  );
}

const withParents = (domain: string): string[] =>
  domain.split('.').map((_, at, labels) => labels.slice(at).join('.'));

/**
 * The package's domains and ours. Leaves out real providers (a mistake there would throw away
 * customers) and subdomains of domains that are listed anyway.
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

/** Names that measure the judge must not have taught it. */
function checkHeldOut(names: readonly string[]): void {
  const text = readFileSync('src/features/addresses/server/held-out-names.txt', 'utf8');
  const known = new Set(names);
  const both = text.split(/\s+/).filter((word) => known.has(word));
  if (both.length > 0) throw new Error(`Held out, and in names.txt as well: ${both.join(' ')}`);
}

type Constants = readonly (readonly [name: string, entries: readonly string[]])[];

function makeConstants(): Constants {
  const forwarders = sorted(linesOf('forwarders'));
  const mailboxes = sorted([...linesOf('mailboxes'), ...forwarders]);
  const neighbours = sorted(linesOf('neighbours').flatMap((line) => line.split(/\s+/)));
  const organisations = sorted(linesOf('british-organisations').flatMap((line) => line.split(/\s+/)));
  const bodies = linesOf('public-bodies');
  const roles = linesOf('roles');
  const placeholders = linesOf('placeholders');
  const keep = new Set([
    ...mailboxes,
    ...neighbours,
    ...organisations,
    ...ukProviders,
    ...globalProviders,
    ...section(placeholders, 'domain'),
    ...bodies.map((line) => line.split(' ')[1] as string),
  ]);
  const names = sorted(linesOf('names').flatMap((line) => line.split(/\s+/))).filter((name) =>
    /^[a-z]+$/.test(name),
  );
  checkHeldOut(names);
  return [
    ['mailboxDomains', mailboxes],
    ['britishOrganisations', organisations],
    ['forwarders', forwarders],
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
    ['letterPairs', letterScores(names)],
    ['disposableDomains', disposable(keep)],
  ];
}

const asModule = (constants: Constants): string =>
  [
    '// Written by `npm run lists:refresh`. Do not edit: change src/features/addresses/lists and run it again.\n',
    ...constants.map(([name, entries]) => `export const ${name} = \`\n${entries.join('\n')}\n\`;\n`),
  ].join('\n');

/** The page with an updated table of counts. */
function withCounts(page: string, constants: Constants): string {
  const rows = constants
    .filter(([name]) => name !== 'letterPairs')
    .map(([name, entries]) => {
      const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return `| ${words} | ${entries.length.toLocaleString('en-GB')} |`;
    });
  const ours = linesOf('disposable').length;
  const table = [
    '| list | entries |',
    '|---|---|',
    ...rows,
    `| disposable domains in our own file | ${ours} |`,
  ];
  const marked = /(<!-- counts:[^\n]*-->\n).*?(<!-- \/counts -->)/s;
  if (!marked.test(page)) throw new Error(`${pageFile} has no place for the counts`);
  return page.replace(marked, `$1\n${table.join('\n')}\n\n$2`);
}

function write(file: string, text: string): void {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what its sources make. Run: npm run lists:refresh`);
    process.exitCode = 1;
  }
}

const constants = makeConstants();
write(target, asModule(constants));
write(pageFile, withCounts(readFileSync(pageFile, 'utf8'), constants));
// The made part of the labelled set leaves out what the lists know to be real.
await import('./make-labelled-set.ts');
