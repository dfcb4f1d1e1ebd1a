/** What threads of other features use, without routes, so that a thread loads little. */
export { contactsNoted, noteEvents } from './write-events.ts';
