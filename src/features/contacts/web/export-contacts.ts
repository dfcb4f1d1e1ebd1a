import { addressOf } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom, downloadLarge } from '#platform/web/transfer.ts';
import { type ContactSelection, exportContacts } from '../contract.ts';

/** Up to so many contacts, about 20 MB, are fetched by the page, which then knows that they have all arrived. */
const mostInMemory = 250_000;

/** Downloads contacts, about `count` of them, as a CSV file and says so. Never rejects. */
export async function downloadContacts(selection: ContactSelection, count = Infinity): Promise<void> {
  const query = 'ids' in selection ? { ids: selection.ids.join(',') } : selection.filter;
  try {
    const download = count > mostInMemory ? downloadLarge : downloadFrom;
    await download(addressOf(exportContacts, { query }), 'email-database.csv');
    toastDone({ title: 'Export Started', message: 'The contacts are being saved as a CSV file.' });
  } catch {
    toastFailed({ title: 'Error', message: 'Failed to export database. Please try again.' });
  }
}
