import { Button, Modal, Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { formatBytes, formatFullDate } from '#platform/web/format.ts';
import { joinMinutes, listTemplateVersions, type TemplateVersion } from '../contract.ts';
import { useLast } from './preview-dialog.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { goBackAndTell, needsEditor, type OpenEditor, refreshTemplates } from './template-actions.ts';
import classes from './templates.module.css';
import { pageAddress } from './thumbnail.tsx';

interface Props {
  id: number | undefined;
  onClose: () => void;
  editor?: OpenEditor;
}

/** What a template was at each time it was saved, and the way back there. */
export function VersionsDialog({ id, onClose, editor }: Props) {
  const shownId = useLast(id);
  const { data, error } = useQuery({
    ...queryOptionsFor(listTemplateVersions, { params: { id: shownId ?? 0 } }),
    enabled: shownId !== undefined,
    staleTime: 10_000,
  });
  return (
    <Modal opened={id !== undefined} onClose={onClose} title="Versions" size={1080}>
      {data && shownId !== undefined ? (
        <Versions key={shownId} id={shownId} versions={data.items} onClose={onClose} editor={editor} />
      ) : error ? (
        <ErrorState title="The versions could not be loaded" error={error} />
      ) : (
        <Skeleton height={480} />
      )}
    </Modal>
  );
}

interface VersionsProps extends Pick<Props, 'onClose'> {
  id: number;
  versions: readonly TemplateVersion[];
  editor: OpenEditor | undefined;
}

function Versions({ id, versions, onClose, editor }: VersionsProps) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(versions[1]?.version ?? versions[0]?.version);
  const [refusal, setRefusal] = useState<string | null>(null);
  const one = versions.find(({ version }) => version === chosen) ?? versions[0];
  const current = versions.find(({ isCurrent }) => isCurrent);
  useEffect(() => setRefusal(null), [chosen]);
  const restore = async () => {
    if (!one || !current) return;
    try {
      await goBackAndTell(queryClient, { id, version: current.version }, one.version, editor);
      onClose();
    } catch (error) {
      setRefusal(words(error, 'Failed to restore version'));
      await refreshTemplates(queryClient);
    }
  };
  return (
    <>
      <div className={classes.versions}>
        <ul className={classes.versionList} aria-label="Versions">
          {versions.map((version) => (
            <li key={version.version}>
              <Line
                version={version}
                isChosen={version === one}
                onChoose={() => setChosen(version.version)}
              />
            </li>
          ))}
        </ul>
        {one && (
          <PreviewFrame
            name={`version ${one.version} of ${one.name}`}
            source={{ src: pageAddress({ id, version: one.version }) }}
            dark={{ src: pageAddress({ id, version: one.version }, undefined, true) }}
          />
        )}
      </div>
      {versions.some(({ isAutomatic }) => isAutomatic) && (
        <p className={classes.hint}>
          What is saved automatically within {joinMinutes} minutes is one version, so numbers may be missing.
        </p>
      )}
      {refusal && <Note tone="error">{refusal}</Note>}
      <div className={classes.dialogButtons}>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        {one && !one.isCurrent && (
          <MayEditButton why={needsEditor} onClick={restore}>
            {`Go back to version ${one.version}`}
          </MayEditButton>
        )}
      </div>
    </>
  );
}

interface LineProps {
  version: TemplateVersion;
  isChosen: boolean;
  onChoose: () => void;
}

function Line({ version: one, isChosen, onChoose }: LineProps) {
  const { version, name, isCurrent, isAutomatic, restoredFrom, savedAt, savedBy, htmlBytes } = one;
  return (
    <UnstyledButton className={classes.version} aria-pressed={isChosen} onClick={onChoose}>
      <span className={classes.versionName}>
        Version {version}
        {isCurrent && ', current'}
        {isAutomatic && ', saved automatically'}
        {restoredFrom !== null && `, from version ${restoredFrom}`}
      </span>
      <span className={classes.versionFacts}>{name}</span>
      <span className={classes.versionFacts}>
        {formatFullDate(savedAt)}
        {savedBy !== null && `, ${savedBy}`}, {formatBytes(htmlBytes)}
      </span>
    </UnstyledButton>
  );
}
