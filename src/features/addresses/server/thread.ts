/** What threads of other features use, without routes, so that a thread loads little. */
export { idna } from './idna.ts';
