import { audiencePort } from '#features/audience/server/index.ts';
import type { StoredFields } from '#features/contacts/rules/contact-change.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { type TaskContext, tasksPort } from '#features/tasks/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import {
  type ContactFollower,
  type FeatureContext,
  type FeatureParts,
  filtersOfAll,
  type ServerFeature,
} from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import { binEvents } from '../contract/contact-events.ts';
import type { CleanReason } from '../contract.ts';
import * as contract from '../contract.ts';
import { binWords } from '../rules/words.ts';
import { purgeBin } from './bin.ts';
import { type CleanDone, cleanInPieces } from './clean/clean-contacts.ts';
import { tellEvents } from './contact-events.ts';
import { personalOf } from './erasing/personal.ts';
import { changeInBin, followMerge, followUnmerge } from './follow-merge.ts';
import { type ImportToUndo, undoImportInPieces, undoSmallImport } from './import-undo.ts';
import { moveToBin } from './move-to-bin.ts';
import type { NewRemoval } from './removal-queries.ts';
import type { RemovalsContext } from './removal-tasks.ts';
import { registerBin } from './routes.ts';
import { takeFromBin } from './take-from-bin.ts';
import { removalTasks } from './tasks.ts';
import type { VerdictKeeper } from './verdict-keeper.ts';

export { purgeBin } from './bin.ts';
export { cleanInput, closeBrokenClean } from './clean/clean-contacts.ts';
export { previewClean } from './clean/clean-preview.ts';
export { contactsOf } from './erasing/personal.ts';
export { closeBrokenUndo, isSmallImport } from './import-undo.ts';
export { cannotComeBack, countExpired, holdRemovals, lockRemoval, type Removal } from './removal-queries.ts';
export type { VerdictKeeper } from './verdict-keeper.ts';

type Removed = { removed: number; removalId: number | null };

/** The bin, for features that move contacts into it and restore them. */
export interface Bin {
  /** A whole removal within the transaction. Null when there was nothing to remove. */
  moveToBin(
    tx: TenantTx,
    workspaceId: number,
    chosen: Fragment,
    removal: NewRemoval,
  ): Promise<{ id: number; contacts: number } | null>;
  /**
   * Restores a removal within the transaction and answers the ids that came back. They have no
   * verdicts yet.
   */
  takeFromBin(tx: TenantTx, workspaceId: number, removalId: number): Promise<number[]>;
  /** To be called once the others of a merge are in the bin: the kept contact takes after them. */
  merged(tx: TenantTx, workspaceId: number, merge: Parameters<ContactFollower['merged']>[2]): Promise<void>;
  /** To be called once the others of a merge are there again. */
  unmerged(
    tx: TenantTx,
    workspaceId: number,
    merge: Parameters<ContactFollower['unmerged']>[2],
  ): Promise<void>;
  /**
   * Changes the fields of a contact in the bin; null leaves them. Does nothing when no removal from
   * the number `since` on holds it.
   */
  changeInBin(
    tx: TenantTx,
    workspaceId: number,
    contact: { id: number; since: number },
    decide: (before: StoredFields) => StoredFields | null,
  ): Promise<void>;
  /** A clean within a task of another feature. Without reasons, it removes the usual ones. */
  cleanInPieces(context: TaskContext<unknown>, reasons?: readonly CleanReason[]): Promise<CleanDone>;
  /** The undo of an import within a task of another feature, and within a call. */
  undoImportInPieces(context: TaskContext<unknown>, undo: ImportToUndo): Promise<Removed>;
  undoSmallImport(
    tx: TenantTx,
    workspaceId: number,
    undo: Omit<ImportToUndo, 'begin' | 'total'>,
    actor: string,
  ): Promise<Removed>;
}

/** What the bin needs from the feature that keeps verdicts. */
export const verdictsPort = port<VerdictKeeper>('bin.verdicts');
/** The bin of this process. */
export const binPort = port<Bin>('bin.bin');

export const binFeature: ServerFeature = {
  name: 'bin',
  contract: (all) => ({ ...contract, ...contract.binCalls(filtersOfAll(all)) }),
  words: binWords,
  eventKinds: binEvents,
  create,
};

function create({ db, use, offer }: FeatureContext): FeatureParts {
  let followers: readonly ContactFollower[] = [];
  const context: RemovalsContext = {
    db,
    tasks: use(tasksPort),
    audience: use(audiencePort),
    companions: { verdicts: use(verdictsPort), followers: () => followers },
  };
  offer(binPort, binOf(context));
  return {
    routes: (router) => registerBin(router, context),
    tasks: removalTasks(context),
    contactEvents: { scope: 'contacts:read', tell: tellEvents },
    personal: personalOf(context.companions),
    gather(all) {
      followers = all.flatMap(({ contactFollower }) => contactFollower ?? []);
    },
    nightly: [
      {
        name: 'contacts.empty-bin',
        async run(workspaceId, signal) {
          const { retention } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
          await purgeBin(db, workspaceId, retention.binDays, { signal });
        },
      },
    ],
  };
}

function binOf(context: RemovalsContext): Bin {
  const { companions } = context;
  return {
    moveToBin: (tx, workspaceId, chosen, removal) => moveToBin(tx, workspaceId, chosen, removal, companions),
    takeFromBin: (tx, workspaceId, removalId) => takeFromBin(tx, workspaceId, removalId, companions),
    merged: (tx, workspaceId, merge) => followMerge(companions, tx, workspaceId, merge),
    unmerged: (tx, workspaceId, merge) => followUnmerge(companions, tx, workspaceId, merge),
    changeInBin,
    cleanInPieces: (task, reasons) => cleanInPieces(context, task, reasons),
    undoImportInPieces: (task, undo) => undoImportInPieces(context, task, undo),
    undoSmallImport: (tx, workspaceId, undo, actor) => undoSmallImport(context, tx, workspaceId, undo, actor),
  };
}
