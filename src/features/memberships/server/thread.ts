/** What threads of other features use, without routes, so that a thread loads little. */
export { addImported } from './changes/import-members.ts';
