import { readSettings } from '#features/settings/server/index.ts';
import { type Tasks, tasksPort } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { purgeBin } from './bin.ts';
import { contactEvents } from './contact-events.ts';
import { indexRecentBlocks } from './jobs.ts';
import { defineRemovalTasks } from './removals.ts';
import type { JudgeContacts } from './restores.ts';
import { registerContacts } from './routes.ts';
import { oneAtATime, searchIndexPort } from './search-indexer.ts';
import type { WhyDead } from './service.ts';

export { purgeBin } from './bin.ts';
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
export { searchIndexPort } from './search-indexer.ts';
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

/** Judges contacts in the transaction that has just brought them in. */
export const judgePort = port<JudgeContacts>('contacts.judge');
/** Says whether mail can be sent to a domain. */
export const whyDeadPort = port<WhyDead>('contacts.why-dead');

export const contactsFeature: ServerFeature = { name: 'contacts', contract, create };

function create({ db, log, use, offer }: FeatureContext): FeatureParts {
  const contacts = createContacts({
    db,
    tasks: use(tasksPort),
    judge: use(judgePort),
    whyDead: use(whyDeadPort),
  });
  const indexer = oneAtATime(
    () => indexRecentBlocks(db),
    (error) => log.warn({ err: error }, 'search blocks were not indexed'),
  );
  offer(searchIndexPort, indexer);
  return {
    routes: contacts.register,
    contactEvents: { scope: 'contacts:read', tell: contactEvents },
    jobs: [
      {
        name: 'contacts.index-search',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => void (await indexRecentBlocks(db, { signal })),
      },
    ],
    nightly: [
      {
        name: 'contacts.empty-bin',
        async run(workspaceId, signal) {
          const { retention } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
          await purgeBin(db, workspaceId, retention.binDays, { signal });
        },
      },
    ],
    start: indexer.soon,
    stop: indexer.idle,
  };
}
