import type { Contact } from '../contract.ts';

/** What can be done with one contact, in its row and in its panel. None rejects: each says itself how it went. */
export interface ContactActions {
  onSuppress: (contact: Contact) => Promise<void>;
  onVerify: (contact: Contact) => Promise<void>;
  /** Gives it the address that was suggested. */
  onUseSuggestion: (contact: Contact) => Promise<void>;
  /** Asks first. */
  onDelete: (contact: Contact) => void;
}
