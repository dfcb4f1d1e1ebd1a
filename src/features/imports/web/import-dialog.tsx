import { Button, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NoPermission, Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import type { ImportOptions } from '../contract.ts';
import { OptionList } from './check/option-list.tsx';
import { ChosenFile } from './chosen-file.tsx';
import { useMaxFileSize } from './file-drop.tsx';
import { refusalOf } from './file-rules.ts';
import classes from './import-dialog.module.css';
import { fullBarMs, type ImportWatch, useImportWatch, useTellsOutcome } from './import-watch.ts';
import { defaultOptions, needsEditor, noReason } from './import-words.ts';
import { type Upload, useUpload } from './use-upload.ts';
import { SendingBar, WorkingBar } from './working.tsx';

export interface ImportDialogProps {
  opened: boolean;
  onClose: () => void;
  /** A file that was already dropped or chosen. */
  file?: File | null;
}

/** Both steps share one bar; uploading is the shorter one. */
const uploadPart = 0.3;

/*
 * The dialog and the check page are two ways to import one file, and the person chooses in the
 * dialog. "Check first", the primary button, uploads the file as a dry run and goes to the check
 * page, which saves nothing until the person chooses Import there. "Import" imports at once with
 * the detected reading and the options ticked here, for a file whose shape is known. Both upload
 * once, can be left running, end in the same result page and can be undone.
 */
export default function ImportDialog({ opened, onClose, file: given = null }: ImportDialogProps) {
  const dialog = useImportDialog({ opened, onClose, given });
  const { busy, upload, watch, importId } = dialog;
  const mayImport = useMay('editor');
  const close = () => {
    upload.stop();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Import a CSV" size={480} styles={{ body: { padding: 0 } }}>
      {!mayImport ? (
        <div className={classes.part}>
          <NoPermission title={needsEditor} description="Ask an owner or admin of this workspace." />
        </div>
      ) : busy ? (
        <div className={classes.part}>
          <p className={classes.name}>{dialog.file?.name}</p>
          {importId === null ? (
            <SendingBar
              {...(upload.sending ?? { sent: 0, total: 0 })}
              to={dialog.checking ? 1 : uploadPart}
            />
          ) : (
            <WorkingBar watch={watch} from={uploadPart} />
          )}
          <div className={classes.buttons}>
            {importId === null ? (
              <Button variant="subtle" color="gray" onClick={upload.stop}>
                Stop the upload
              </Button>
            ) : (
              <Button variant="default" onClick={close}>
                Close and leave it running
              </Button>
            )}
          </div>
        </div>
      ) : (
        <Choice {...dialog} onCancel={close} />
      )}
    </Modal>
  );
}

type DialogState = ReturnType<typeof useImportDialog>;

function Choice(props: DialogState & { onCancel: () => void }) {
  const { file, choose, refuse, error, options, setOptions, importNow, checkFirst, onCancel } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void checkFirst();
  };
  return (
    <form onSubmit={submit}>
      <div className={classes.part}>
        <ChosenFile file={file} onFile={choose} onRefused={refuse} />
        {error !== null && <Note tone="error">{error}</Note>}
      </div>
      <div className={classes.options}>
        <OptionList options={options} onChange={setOptions} />
      </div>
      <div className={classes.part}>
        <p className={classes.hint}>
          Check first shows what happens to each row before anything is saved. Import takes the file as it is
          read.
        </p>
        <div className={classes.buttons}>
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
          <Button variant="default" disabled={file === null} onClick={() => void importNow()}>
            Import
          </Button>
          <Button type="submit" disabled={file === null} data-autofocus={file !== null || undefined}>
            Check first
          </Button>
        </div>
      </div>
    </form>
  );
}

function useImportDialog({
  opened,
  onClose,
  given,
}: {
  opened: boolean;
  onClose: () => void;
  given: File | null;
}) {
  const [file, setFile] = useState<File | null>(given);
  const [options, setOptions] = useState<ImportOptions>(defaultOptions);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [checking, setChecking] = useState(false);
  const [importId, setImportId] = useState<number | null>(null);
  const upload: Upload = useUpload();
  const followed = useImportWatch(importId);
  useTellsOutcome(opened ? importId : null);
  // The store forgets an import a moment after its end. The full bar shows until the dialog closes.
  const [ended, setEnded] = useState<ImportWatch | null>(null);
  const watch = ended ?? followed;
  const leave = useRef(onClose);
  leave.current = onClose;
  const maxFileSize = useMaxFileSize();
  const navigate = useNavigate();

  useEffect(() => {
    if (!opened) return;
    setFile(given);
    setOptions(defaultOptions);
    setRefusal(given ? refusalOf(given, maxFileSize) : null);
    setImportId(null);
    setEnded(null);
    upload.clearError();
    // Only opening the dialog resets it. If the limit arrives later, the server enforces it.
  }, [opened, given]);

  useEffect(() => {
    const outcome = followed?.outcome;
    if (!outcome) return;
    if (outcome.status === 'failed') {
      setRefusal(outcome.error || noReason);
      setImportId(null);
    } else setEnded(followed);
  }, [followed]);

  useEffect(() => {
    if (!ended) return;
    const timer = setTimeout(() => leave.current(), fullBarMs(ended));
    return () => clearTimeout(timer);
  }, [ended]);

  const choose = (chosen: File) => {
    setRefusal(null);
    upload.clearError();
    setFile(chosen);
  };
  const refuse = (reason: string) => {
    upload.clearError();
    setFile(null);
    setRefusal(reason);
  };
  const start = async (dryRun: boolean) => {
    if (file === null) return null;
    setRefusal(null);
    setChecking(dryRun);
    return upload.send({ file, options, dryRun });
  };
  const importNow = async () => setImportId(await start(false));
  const checkFirst = async () => {
    const id = await start(true);
    if (id === null) return;
    onClose();
    await navigate({ to: `/imports/${id}` });
  };
  return {
    file,
    choose,
    refuse,
    options,
    setOptions,
    importNow,
    checkFirst,
    checking,
    upload,
    importId,
    watch,
    busy: upload.sending !== null || importId !== null,
    error: refusal ?? upload.error,
  };
}
