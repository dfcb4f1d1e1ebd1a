/** Email messages as bytes, and their signatures. It has no state, no table and no call. */
export { type DkimKey, signer } from './dkim/sign.ts';
export type { Addressed, Frame, Mailbox, Message, Part } from './mime/compose.ts';
export { composer } from './mime/compose.ts';
export { asciiAddress, type SmtpAddress } from './mime/smtp-address.ts';
export { createReferences, type References, type ReferenceUse, type SendReference } from './reference.ts';
export { type ReturnAddresses, returnAddress, sendOfAddress } from './return-address.ts';
