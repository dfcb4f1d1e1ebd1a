/** What threads of other features use: queries alone, so that a thread loads little. */
export { recordActivity } from './record-activity.ts';
