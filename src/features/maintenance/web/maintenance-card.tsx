import { Button } from '@mantine/core';
import { IconDownload, IconSparkles } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { statsOptions } from '#features/audience/web/index.ts';
import { addressOf } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom, downloadLarge } from '#platform/web/transfer.ts';
import { maintenanceExport } from '../contract.ts';
import { CleanupDialog } from './cleanup-dialog.tsx';
import classes from './maintenance-card.module.css';

/**
 * At most this many contacts are fetched by the page itself, which can then tell that all have
 * arrived.
 */
const mostInMemory = 250_000;

/** The settings' card for work on the database as a whole. */
export default function MaintenanceCard() {
  const [asking, setAsking] = useState(false);
  const [exporting, setExporting] = useState(false);
  const client = useQueryClient();

  const startExport = async () => {
    setExporting(true);
    // Who presses at once waits for the number. The browser downloads what cannot be counted.
    const counted = await client.ensureQueryData(statsOptions).catch(() => undefined);
    const total = counted?.totalEmails;
    try {
      const address = addressOf(maintenanceExport, {});
      if (total === undefined || total > mostInMemory) {
        downloadLarge(address, 'contacts.csv');
        toastDone({ title: 'Export Started', message: 'Your browser shows how far it is.' });
      } else {
        await downloadFrom(address, 'contacts.csv');
        toastDone({ title: 'Export Complete', message: `${formatCount(total, 'contact')} saved as a file.` });
      }
    } catch {
      toastFailed({
        title: 'Export Failed',
        message: 'There was an error exporting the database. Please try again.',
      });
    }
    setExporting(false);
  };

  return (
    <Card title="Maintenance" hint={<TextLink to="/bin">What is in the bin</TextLink>}>
      <div className={classes.rows}>
        <Row
          name="Clean up the database"
          hint="Moves duplicate, invalid and non-UK contacts to the bin, and deletes what is kept no longer: expired removals, old receipts and left-over files."
        >
          <MayEditButton
            why="Cleaning up needs the editor role."
            variant="default"
            leftSection={<IconSparkles size={16} stroke={1.6} />}
            onClick={() => setAsking(true)}
          >
            Clean up
          </MayEditButton>
        </Row>
        <Row
          name="Export the database"
          hint="Every contact, in the format chosen under Export. More than a file may hold come as numbered parts."
        >
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.6} />}
            loading={exporting}
            onClick={() => void startExport()}
          >
            Export
          </Button>
        </Row>
      </div>
      <CleanupDialog opened={asking} onClose={() => setAsking(false)} />
    </Card>
  );
}

function Row({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>{name}</div>
        <div className={classes.hint}>{hint}</div>
      </div>
      {children}
    </div>
  );
}
