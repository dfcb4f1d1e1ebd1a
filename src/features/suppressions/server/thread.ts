/** What threads of other features use, without routes, so that a thread loads little. */
export { awaitHashedLists, suppressFromFile } from './lists/suppress-from-file.ts';
