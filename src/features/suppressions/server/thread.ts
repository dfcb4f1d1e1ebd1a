/** What threads of other features use, without routes, so that a thread loads little. */
export { carryWithImport, hasToCarry } from './carry.ts';
export { awaitHashedLists, holdList, suppressFromFile } from './lists/suppress-from-file.ts';
