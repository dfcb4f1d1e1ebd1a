/** What threads of other features use, without routes, so that a thread loads little. */
export { importFigures } from './import-counts.ts';
export { holdFigures } from './rollup-queries.ts';
export { adjustForAddresses } from './suppression-queries.ts';
