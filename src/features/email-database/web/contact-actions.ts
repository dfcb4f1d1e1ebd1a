import type { Contact } from '#features/contacts/contract.ts';

/**
 * What can be done with one contact, in its row and in its panel. None rejects: each reports its
 * own result.
 */
export interface ContactActions {
  onSuppress: (contact: Contact) => Promise<void>;
  onVerify: (contact: Contact) => Promise<void>;
  /** Gives it the suggested address. Does nothing while that is already running. */
  onUseSuggestion: (contact: Contact) => Promise<void>;
  /** The ids of the contacts that are being corrected right now. */
  correcting: ReadonlySet<number>;
  /** Asks first. */
  onDelete: (contact: Contact) => void;
}
