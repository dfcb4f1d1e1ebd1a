/** What threads of other features use, without routes, so that a thread loads little. */
export { anyMendedSuppressed, keepMendedAway, suppressMended } from './carry-mended.ts';
export {
  anyFormerAddress,
  type FormerContact,
  formerAddresses,
  selectFormerContacts,
} from './history/former-queries.ts';
export { recordMended } from './mended-queries.ts';
