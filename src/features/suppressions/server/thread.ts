/** What threads of other features use: queries alone, so that a thread loads little. */
export { suppressFromFile } from './lists/suppress-from-file.ts';
