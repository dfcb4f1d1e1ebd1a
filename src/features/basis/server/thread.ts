/** What threads of other features use: queries alone, so that a thread loads little. */
export { sayImported } from './import-bases.ts';
