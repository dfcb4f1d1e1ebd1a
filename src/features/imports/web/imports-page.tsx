import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { NoPermission } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import type { ImportOptions } from '../contract.ts';
import { OptionList } from './check/option-list.tsx';
import { importsSearch } from './import-search.ts';
import { defaultOptions, needsEditor } from './import-words.ts';
import classes from './imports-page.module.css';
import { PasteDialog } from './paste-dialog.tsx';
import { RecentImports } from './recent-imports.tsx';
import { UploadArea } from './upload-area.tsx';
import { useUpload } from './use-upload.ts';

/**
 * Import Data: choose a file, see past imports. A chosen file is uploaded once and opens its check
 * page.
 */
export default function ImportsPage() {
  const [{ page }, change] = useUrlState(importsSearch);
  const mayImport = useMay('editor');
  return (
    <Page
      title="Import Data"
      purpose="Bring in a CSV or an Excel workbook. You see what happens to each row before anything is saved."
    >
      {mayImport ? (
        <NewImport />
      ) : (
        <Card>
          <NoPermission
            title={needsEditor}
            description="Ask an owner or admin. You can still look at past imports and download their receipts."
          />
        </Card>
      )}
      <RecentImports page={page} onPage={(next) => change({ page: next })} />
    </Page>
  );
}

function NewImport() {
  const [file, setFile] = useState<File | null>(null);
  const [options, setOptions] = useState<ImportOptions>(defaultOptions);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pasting, setPasting] = useState(false);
  const [sent, setSent] = useState<File | null>(null);
  const upload = useUpload();
  const navigate = useNavigate();
  const start = async (chosen: File) => {
    setRefusal(null);
    setFile(chosen);
    const id = await upload.send({ file: chosen, options, dryRun: true });
    if (id === null) return;
    // Until the next page is there, this one stays shut: what was chosen here would be lost.
    setSent(chosen);
    await navigate({ to: `/imports/${id}` });
  };
  const refuse = (reason: string) => {
    upload.clearError();
    setFile(null);
    setRefusal(reason);
  };
  const sending = upload.sending ?? (sent && { sent: sent.size, total: sent.size });
  return (
    <Columns columns="minmax(0, 1fr) 372px">
      <UploadArea
        file={file}
        sending={sending}
        error={refusal ?? upload.error}
        onFile={(chosen) => void start(chosen)}
        onRefused={refuse}
        onStop={upload.stop}
        onPaste={() => setPasting(true)}
      />
      <PasteDialog opened={pasting} onClose={() => setPasting(false)} onFile={(made) => void start(made)} />
      <Card title="Options" hint="All can be changed on the next page" flush>
        <OptionList options={options} onChange={setOptions} disabled={sending !== null} />
        <div className={classes.foot}>
          <Button
            fullWidth
            disabled={file === null}
            loading={sending !== null}
            onClick={() => file && void start(file)}
          >
            Import
          </Button>
        </div>
      </Card>
    </Columns>
  );
}
