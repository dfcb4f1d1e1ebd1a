import { recordActivity } from '#features/activities/server/index.ts';
import type { ContactSelection } from '#features/audience/contract.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { Actor } from '#features/contacts/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { type ExportChoice, type ExportFile, openExport } from './export.ts';
/** Begins an export and writes down who took how much; see `openExport`. */
export async function exportSelected(
  db: Database,
  actor: Actor,
  selection: ContactSelection,
  choice: ExportChoice,
): Promise<ExportFile> {
  const { workspaceId } = actor;
  const file = await openExport(db, workspaceId, selection, { ...choice, now: new Date() });
  try {
    await db.asTenant(workspaceId, async (tx) => {
      await recordAudit(tx, workspaceId, {
        actor: actor.email,
        action: 'contacts.exported',
        subject: 'contacts',
        details: {
          contacts: file.contacts,
          fileName: file.fileName,
          ...(choice.include ? { include: choice.include } : {}),
          ...('ids' in selection ? { named: selection.ids.length } : { filter: selection.filter }),
        },
      });
      await recordActivity(tx, workspaceId, {
        action: 'Export',
        details: `${contactsInWords(file.contacts)} as ${file.fileName}`,
        status: 'completed',
        icon: 'download',
        iconColor: 'primary',
        actor: actor.email,
      });
    });
  } catch (error) {
    file.bytes.destroy();
    throw error;
  }
  return file;
}
