import type { ContactSelection } from '#features/audience/contract.ts';
import { addressOf, call, words } from '#platform/web/api.ts';
import { formatBytes, formatCount } from '#platform/web/format.ts';
import { dismissTask, publishTask } from '#platform/web/tasks.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom, downloadLarge } from '#platform/web/transfer.ts';
import {
  checkExport,
  type ExportFormat,
  type ExportInclude,
  exportContacts,
  exportSelection,
} from '../contract.ts';

/**
 * At most this many contacts, about 20 MB, are fetched by the page itself, which can then tell that
 * all have arrived.
 */
const mostInMemory = 250_000;

/** A shorter download ends before anybody could read a message about its progress. */
const shortMs = 1500;

const failure = 'Failed to export database. Please try again.';
let downloads = 0;

/** The format (the workspace's own when absent), and what else the file should hold. */
export interface ExportChoice {
  format?: ExportFormat | undefined;
  include?: ExportInclude;
}

/**
 * Downloads about `count` contacts as a file and says so. Asks how many there are when nobody has
 * counted them yet. Never rejects.
 */
export async function downloadContacts(
  selection: ContactSelection,
  count?: number,
  choice: ExportChoice = {},
): Promise<void> {
  try {
    if ('ids' in selection) return await fetchContacts(selection, choice);
    const query = { ...selection.filter, ...choice };
    // A refusal of a large export by the server can be shown only here.
    const isSmall = count !== undefined && count <= mostInMemory;
    const contacts = isSmall ? count : (await call(checkExport, { query })).contacts;
    if (contacts <= mostInMemory) await fetchContacts(selection, choice);
    else {
      downloadLarge(addressOf(exportContacts, { query }), 'contacts.csv');
      toastDone({
        title: 'Export Started',
        message: 'The contacts are being saved. Your browser shows how far it is.',
      });
    }
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, failure) });
  }
}

async function fetchContacts(selection: ContactSelection, choice: ExportChoice): Promise<void> {
  const id = `export-${++downloads}`;
  const started = Date.now();
  let shown = 0;
  let total: number | undefined;
  const url =
    'ids' in selection
      ? addressOf(exportSelection, { query: choice })
      : addressOf(exportContacts, { query: { ...selection.filter, ...choice } });
  // It may have to wait for its turn behind other downloads.
  const waiting = setTimeout(
    () => publishTask({ id, label: 'Exporting', state: 'running', note: 'Waiting for the file to begin' }),
    shortMs,
  );
  try {
    await downloadFrom(url, 'contacts.csv', {
      ...('ids' in selection
        ? {
            init: {
              method: 'POST',
              body: JSON.stringify(selection),
              headers: { 'content-type': 'application/json' },
            },
          }
        : {}),
      onStart: (response) => {
        clearTimeout(waiting);
        total = Number(response.headers.get('x-contacts')) || undefined;
        toastDone({ title: 'Export Started', message: 'The contacts are being saved as a file.' });
      },
      onProgress: (bytes) => {
        const now = Date.now();
        if (now - started < shortMs || now - shown < 250) return;
        shown = now;
        const of = total === undefined ? '' : `, ${formatCount(total, 'contact')} in all`;
        publishTask({ id, label: 'Exporting', state: 'running', note: `${formatBytes(bytes)} saved${of}` });
      },
    });
    if (shown > 0)
      toastDone({ title: 'Export Complete', message: 'The file holds every contact asked for.' });
  } finally {
    clearTimeout(waiting);
    dismissTask(id);
  }
}
