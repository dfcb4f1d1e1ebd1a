import { recordActivity } from '#features/activities/server/index.ts';
import type { ContactSelection } from '#features/audience/contract.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import {
  type ExportChoice,
  type ExportFile,
  type ExportsContext,
  openExport,
  type RecordExport,
} from './export.ts';

/** Begins an export and records who took how much. See `openExport`. */
export async function exportSelected(
  { db, audience }: ExportsContext,
  actor: Actor,
  selection: ContactSelection,
  choice: ExportChoice,
): Promise<ExportFile> {
  const { workspaceId } = actor;
  const tree = audience.of(selection);
  const record: RecordExport = async (tx, { contacts, fileName }) => {
    await recordAudit(tx, workspaceId, {
      actor: actor.email,
      action: 'contacts.exported',
      subject: 'contacts',
      details: {
        contacts,
        fileName,
        ...(choice.include ? { include: choice.include } : {}),
        ...audience.record(tree),
      },
    });
    await recordActivity(tx, workspaceId, {
      action: 'Export',
      details: `${contactsInWords(contacts)} as ${fileName}`,
      status: 'completed',
      icon: 'download',
      iconColor: 'primary',
      actor: actor.email,
    });
  };
  return openExport({ db, audience }, workspaceId, tree, { ...choice, now: new Date(), record });
}
