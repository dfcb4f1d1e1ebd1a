import type { Contact } from '#features/contacts/contract.ts';

/**
 * What can be done with one contact, in its row and in its panel. None rejects: each says itself
 * how it went.
 */
export interface ContactActions {
  onSuppress: (contact: Contact) => Promise<void>;
  onVerify: (contact: Contact) => Promise<void>;
  /** Gives it the address that was suggested; nothing while it is at it already. */
  onUseSuggestion: (contact: Contact) => Promise<void>;
  /** The ids of those that are just being given theirs. */
  correcting: ReadonlySet<number>;
  /** Asks first. */
  onDelete: (contact: Contact) => void;
}
