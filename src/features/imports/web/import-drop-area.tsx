import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from '#platform/web/api.ts';
import { FateBar } from '#platform/web/components/fate-bar.tsx';
import { TextButton, TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine, Note } from '#platform/web/components/states.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatWhen } from '#platform/web/format.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import type { ImportRecord } from '../contract.ts';
import { downloadReceipt, importsQuery } from './api.ts';
import { ChooseButton, FileDrop, upTo, useMaxFileSize } from './file-drop.tsx';
import ImportDialog from './import-dialog.tsx';
import classes from './import-drop-area.module.css';
import { importedAt, needsEditor } from './import-words.ts';

/** The dashboard's drop area. Dropping or choosing a file opens the import dialog with it. */
export default function ImportDropArea() {
  const [file, setFile] = useState<File | null>(null);
  const [opened, setOpened] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const mayImport = useMay('editor');
  const phone = usePhone();
  const take = (chosen: File) => {
    setRefusal(null);
    setFile(chosen);
    setOpened(true);
  };
  return (
    <>
      <FileDrop onFile={take} onRefused={setRefusal} disabled={!mayImport}>
        {(open) => (
          <section className={classes.area} aria-label="Import">
            <div className={classes.head}>
              <span className={classes.mark} aria-hidden>
                <IconUpload size={20} stroke={1.6} />
              </span>
              <Words />
              {mayImport && <ChooseButton onClick={open} primary={phone} fullWidth={phone} />}
            </div>
            {refusal !== null && <Note tone="error">{refusal}</Note>}
            <LastImport />
          </section>
        )}
      </FileDrop>
      <ImportDialog opened={opened} onClose={() => setOpened(false)} file={file} />
    </>
  );
}

function Words() {
  const maxFileSize = useMaxFileSize();
  const mayImport = useMay('editor');
  const phone = usePhone();
  return (
    <div className={classes.words}>
      <h2 className={classes.title}>
        {phone ? 'Import a CSV or .xlsx' : 'Drop a CSV or .xlsx here to import it'}
      </h2>
      <p className={classes.hint}>
        {mayImport
          ? `${upTo(maxFileSize)} You see every row’s fate before anything is saved.`
          : `${needsEditor}. Ask an owner or admin.`}
      </p>
    </div>
  );
}

/** The result of the last completed import. It keeps its height while it loads. */
function LastImport() {
  const { data, error, isPending } = useQuery(importsQuery());
  // Of files that were uploaded together, the last one checked may be imported first.
  const [last] = (data?.items ?? [])
    .filter(({ status }) => status === 'completed')
    .toSorted((one, other) => importedAt(other).localeCompare(importedAt(one)));
  if (!last?.results) {
    return (
      <div className={classes.last}>
        {error && !data ? (
          <ErrorLine title="The last import could not be loaded." error={error} />
        ) : (
          <p className={classes.none}>{isPending ? '\u00a0' : 'Nothing has been imported yet.'}</p>
        )}
      </div>
    );
  }
  return (
    <div className={classes.last}>
      <div className={classes.lastHead}>
        <span className={classes.lastLabel}>Last import</span>
        <span className={classes.lastName}>
          <TextLink to={`/imports/${last.id}`}>{last.fileName}</TextLink>
        </span>
        <span className={classes.lastFacts}>
          {formatCount(last.rows ?? 0, 'row')}, {formatWhen(last.finishedAt ?? last.createdAt)}
        </span>
        {last.hasReceipt && <TextButton onClick={() => void fetchReceipt(last)}>Receipt</TextButton>}
      </div>
      <FateBar counts={last.results} />
    </div>
  );
}

const fetchReceipt = (record: ImportRecord) =>
  downloadReceipt(record).catch((error: unknown) =>
    toastFailed({ title: 'Error', message: words(error, 'The receipt could not be downloaded.') }),
  );
