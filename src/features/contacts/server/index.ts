import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { defineRemovalTasks } from './removals.ts';
import type { JudgeContacts } from './restores.ts';
import { registerContacts } from './routes.ts';
import type { WhyDead } from './service.ts';

export { purgeBin } from './bin.ts';
export { contactEvents } from './contact-events.ts';
export { selectContacts } from './contact-queries.ts';
export {
  type CorrectedPart,
  closeCorrection,
  lockCorrection,
  moveAddresses,
  moveAddressesBack,
  movedAddresses,
  movedBack,
  selectCorrected,
} from './correction-queries.ts';
export { neutralised } from './export-queries.ts';
export { anyFormerAddress, formerAddresses } from './former-queries.ts';
export {
  countImportedContacts,
  type ImportedRows,
  insertImportedContacts,
  newContactId,
  suppressionsVersion,
  writeSearchBlocks,
} from './import-queries.ts';
export { closeBrokenUndo, isSmallImport, undoImportInPieces, undoSmallImport } from './import-undo.ts';
export { indexRecentBlocks } from './jobs.ts';
export { mergeInto, unmerge } from './merge.ts';
export { countExpired } from './removal-queries.ts';
export {
  cleanInPieces,
  closeBrokenClean,
  conditionForWalk,
  countSelected,
  previewClean,
} from './removals.ts';
export { lockDomains } from './rollup-queries.ts';
export { answerExport } from './routes.ts';
export { type Actor, conditionOf, selectedContacts } from './service.ts';
export { type BookDifference, checkBooks, selectCounts } from './stats-queries.ts';
export {
  adjustForAddresses,
  affectedCounts,
  blockDomain,
  blockDomains,
  type IdentityKey,
  unblockDomain,
  unblockDomains,
} from './suppression-queries.ts';

export {
  dropSharedMailbox,
  dropSuggestions,
  gatherSharedMailboxes,
  type JudgedContacts,
  judgedKey,
  selectProfiles,
  type VerdictProfile,
  writeVerdicts,
} from './verdict-queries.ts';

export interface ContactsOptions {
  db: Database;
  tasks: Tasks;
  /** Judges contacts in the transaction that has just brought them in. Absent, they wait for the next verification. */
  judge?: JudgeContacts | undefined;
  /** Asks whether mail can be sent to a domain. Absent, nobody is asked. */
  whyDead?: WhyDead | undefined;
}

export function createContacts(options: ContactsOptions): { register(router: Router): void } {
  defineRemovalTasks(options);
  return { register: (router) => registerContacts(router, options) };
}
