/** What threads of other features use: queries alone, so that a thread loads little. */
export { addImported } from './changes/import-members.ts';
