/** What threads of other features use: queries alone, so that a thread loads little. */
export { recordAudit } from './record-audit.ts';
