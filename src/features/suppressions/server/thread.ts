/** What threads of other features use, without routes, so that a thread loads little. */
export { suppressFromFile } from './lists/suppress-from-file.ts';
