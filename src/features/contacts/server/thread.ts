/** What threads of other features use, without routes, so that a thread loads little. */
export { importing } from './import-contacts.ts';
