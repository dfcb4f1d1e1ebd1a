import { addressOf } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom } from '#platform/web/transfer.ts';
import { type ContactSelection, exportContacts } from '../contract.ts';

/** Downloads contacts as a CSV file and says so. Never rejects. */
export async function downloadContacts(selection: ContactSelection): Promise<void> {
  const query = 'ids' in selection ? { ids: selection.ids.join(',') } : selection.filter;
  try {
    await downloadFrom(addressOf(exportContacts, { query }), 'email-database.csv');
    toastDone({ title: 'Export Started', message: 'The contacts are being saved as a CSV file.' });
  } catch {
    toastFailed({ title: 'Error', message: 'Failed to export database. Please try again.' });
  }
}
