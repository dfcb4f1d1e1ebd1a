// Measures the structure of the code and enforces its limits, as part of `npm run check`.
// docs/architecture.md gives the reasons.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * What a reader can still take in. To change a limit, write a decision record. There are no
 * exceptions.
 */
export const limits = {
  exportsOfDoor: 20,
  filesInServerFolder: 20,
  filesInWebFolder: 40,
  linesOfPage: 100,
  functionLines: 90,
  functionLinesP90: 30,
  composeLines: 40,
};

interface NamedFunction {
  name: string;
  place: string;
  lines: number;
}

interface Source {
  path: string;
  feature: string | null;
  tree: ts.SourceFile;
}

interface Folder {
  path: string;
  files: number;
}

export interface Structure {
  features: number;
  /** The features that each feature imports, in any room. */
  imports: Map<string, Set<string>>;
  /** Features on a path that leads back to itself, such as `bin → audience → bin`. */
  cycles: string[];
  doors: { path: string; exports: number }[];
  serverFolders: Folder[];
  webFolders: Folder[];
  /** The files that hold a screen, `…-page.tsx`. */
  pages: { path: string; lines: number }[];
  functions: NamedFunction[];
  breaches: string[];
}

/** Reads all product code below `root`. Tests are not product code. */
export function structureOf(root: string): Structure {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/(\.test\.tsx?|\/sample-calls\.ts)$/.test(path))
    .sort()
    .map((path) => read(root, path));
  const imports = importsBetween(sources);
  const structure = {
    imports,
    features: new Set(sources.flatMap(({ feature }) => feature ?? [])).size,
    cycles: cyclesOf(imports),
    doors: sources
      .filter(({ path }) =>
        /^src\/features\/[^/]+\/(server\/thread\.ts|(server|web)\/index\.tsx?)$/.test(path),
      )
      .map(({ path, tree }) => ({ path, exports: exportsOf(tree) })),
    serverFolders: foldersOf(sources.filter(({ path }) => /^src\/features\/[^/]+\/server\//.test(path))),
    webFolders: foldersOf(sources.filter(({ path }) => /^src\/features\/[^/]+\/web\//.test(path))),
    pages: sources
      .filter(({ path }) => /^src\/features\/[^/]+\/web\/.*-page\.tsx$/.test(path))
      .map(({ path, tree }) => ({ path, lines: tree.getLineAndCharacterOfPosition(tree.end).line })),
    functions: sources.flatMap(functionsIn),
  };
  return { ...structure, breaches: breachesOf(structure) };
}

function read(root: string, path: string): Source {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const text = readFileSync(join(root, path), 'utf8');
  return {
    path,
    feature: /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null,
    tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind),
  };
}

/** The features that each feature imports, in any room. */
function importsBetween(sources: Source[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { feature, tree } of sources) {
    if (feature === null) continue;
    const imported = graph.get(feature) ?? new Set();
    graph.set(feature, imported);
    visit(tree, (node) => {
      const other = /^#features\/([^/]+)\//.exec(importedFrom(node) ?? '')?.[1];
      if (other !== undefined && other !== feature) imported.add(other);
    });
  }
  return graph;
}

/** The module that a node names, in an import or export statement or in `import('…')`. */
function importedFrom(node: ts.Node): string | undefined {
  const named =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined;
  return named && ts.isStringLiteral(named) ? named.text : undefined;
}

function cyclesOf(graph: Map<string, Set<string>>): string[] {
  const found = new Map<string, string>();
  const walk = (feature: string, way: string[]): void => {
    const place = way.indexOf(feature);
    if (place >= 0) {
      const cycle = way.slice(place);
      // Each feature of a cycle finds the same cycle.
      const key = [...cycle].sort().join();
      if (!found.has(key)) found.set(key, [...cycle, feature].join(' → '));
      return;
    }
    for (const next of graph.get(feature) ?? []) walk(next, [...way, feature]);
  };
  const done = new Set<string>();
  for (const feature of graph.keys()) {
    if (!done.has(feature)) walk(feature, []);
    done.add(feature);
  }
  return [...found.values()];
}

/** How many names a door exports, including types. */
function exportsOf(tree: ts.SourceFile): number {
  let count = 0;
  for (const statement of tree.statements) {
    if (ts.isExportAssignment(statement)) count += 1;
    else if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      // `export *` does not say how much it exports, so it counts as too much.
      count += exportClause && ts.isNamedExports(exportClause) ? exportClause.elements.length : 1000;
    } else if (ts.canHaveModifiers(statement)) {
      const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isExported) continue;
      count += ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1;
    }
  }
  return count;
}

function foldersOf(sources: Source[]): Folder[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].map(([path, files]) => ({ path, files }));
}

/** Functions with a name: declarations, methods, and functions in a constant. */
function functionsIn({ path, tree }: Source): NamedFunction[] {
  const found: NamedFunction[] = [];
  visit(tree, (node) => {
    const name = nameOf(node);
    if (name === undefined) return;
    const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
    const last = tree.getLineAndCharacterOfPosition(node.end).line;
    found.push({ name, place: `${path}:${first + 1}`, lines: last - first + 1 });
  });
  return found;
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)) {
    return node.body && (node.name?.getText() ?? 'default');
  }
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined;
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** The length that nine out of ten functions do not exceed. */
function p90Of(functions: NamedFunction[]): number {
  const sorted = functions.map(({ lines }) => lines).sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0;
}

function breachesOf(structure: Omit<Structure, 'breaches'>): string[] {
  const { cycles, doors, serverFolders, webFolders, pages, functions } = structure;
  const p90 = p90Of(functions);
  const compose = functions.find(({ name, place }) => name === 'compose' && /src\/apps\//.test(place));
  return [
    ...cycles.map((cycle) => `features import each other: ${cycle}`),
    ...doors
      .filter((door) => door.exports > limits.exportsOfDoor)
      .map((door) => `${door.path} exports ${door.exports} names, more than ${limits.exportsOfDoor}`),
    ...serverFolders
      .filter((folder) => folder.files > limits.filesInServerFolder)
      .map((folder) => `${folder.path} has ${folder.files} files, more than ${limits.filesInServerFolder}`),
    ...webFolders
      .filter((folder) => folder.files > limits.filesInWebFolder)
      .map((folder) => `${folder.path} has ${folder.files} files, more than ${limits.filesInWebFolder}`),
    ...pages
      .filter((page) => page.lines > limits.linesOfPage)
      .map((page) => `${page.path} has ${page.lines} lines, more than ${limits.linesOfPage}`),
    ...functions
      .filter(({ lines }) => lines > limits.functionLines)
      .map(
        ({ name, place, lines }) =>
          `${name} (${place}) has ${lines} lines, more than ${limits.functionLines}`,
      ),
    ...(p90 > limits.functionLinesP90
      ? [`one of ten functions is longer than ${p90} lines; at most ${limits.functionLinesP90}`]
      : []),
    ...(compose && compose.lines >= limits.composeLines
      ? [`compose (${compose.place}) has ${compose.lines} lines, not under ${limits.composeLines}`]
      : []),
  ];
}

const largest = <T>(items: T[], size: (item: T) => number): T | undefined =>
  items.toSorted((a, b) => size(b) - size(a))[0];

/** The figures, one line each. */
export function wordsOf(structure: Structure): string[] {
  const { features, cycles, doors, serverFolders, webFolders, pages, functions } = structure;
  const door = largest(doors, (one) => one.exports);
  const folder = largest(serverFolders, (one) => one.files);
  const screens = largest(webFolders, (one) => one.files);
  const page = largest(pages, (one) => one.lines);
  const longest = largest(functions, (one) => one.lines);
  const compose = functions.find(({ name, place }) => name === 'compose' && place.startsWith('src/apps/'));
  return [
    `${features} features, ${cycles.length} cycles among them`,
    `largest door: ${door?.exports ?? 0} exports (${door?.path ?? 'none'}), at most ${limits.exportsOfDoor}`,
    `largest server folder: ${folder?.files ?? 0} files (${folder?.path ?? 'none'}), at most ${limits.filesInServerFolder}`,
    `largest web folder: ${screens?.files ?? 0} files (${screens?.path ?? 'none'}), at most ${limits.filesInWebFolder}`,
    `longest page: ${page?.lines ?? 0} lines (${page?.path ?? 'none'}), at most ${limits.linesOfPage}`,
    `functions: ${functions.length}, p90 ${p90Of(functions)} lines (at most ${limits.functionLinesP90}), ` +
      `longest ${longest?.lines ?? 0} (${longest?.name ?? 'none'}), at most ${limits.functionLines}`,
    `compose: ${compose?.lines ?? 0} lines, under ${limits.composeLines}`,
  ];
}

if (basename(process.argv[1] ?? '') === 'structure.ts') {
  const structure = structureOf(process.cwd());
  console.log(wordsOf(structure).join('\n'));
  for (const breach of structure.breaches) console.error(breach);
  process.exit(structure.breaches.length === 0 ? 0 : 1);
}
