import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatBytes, formatFullDate, formatNumber } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { changeImage, getImage, type Image, type ImageUse } from '../contract.ts';
import { longestName } from '../rules/limits.ts';
import { type Alt, AltField, altOf, altText } from './alt-field.tsx';
import { refreshImages, sourceOf } from './image-actions.ts';
import classes from './images.module.css';
import { whoShows } from './use-words.ts';

interface ImageDialogProps {
  id: number | undefined;
  onClose: () => void;
}

/** One image large, with its name and what it says to those who do not see it. */
export function ImageDialog({ id, onClose }: ImageDialogProps) {
  const mayEdit = useMay('editor');
  const { data, error } = useQuery({
    ...queryOptionsFor(getImage, { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
  });
  const form = useImageForm(data, onClose);
  return (
    <FormDialog
      opened={id !== undefined}
      onClose={onClose}
      title={data?.name ?? 'Image'}
      width={640}
      submitLabel="Save"
      pendingLabel="Saving..."
      pending={form.pending}
      isChanged={mayEdit && form.isChanged}
      submitDisabled={!mayEdit || !data}
      error={form.error}
      onSubmit={() => void form.save()}
    >
      {error && <ErrorLine title="The image could not be loaded." error={error} />}
      {data && (
        <>
          <div className={classes.large}>
            <img src={sourceOf(data)} alt={data.alt ?? ''} width={data.width} height={data.height} />
          </div>
          <TextInput
            label="Name"
            data-autofocus
            maxLength={longestName}
            autoComplete="off"
            value={form.name}
            onChange={({ currentTarget }) => form.setName(currentTarget.value)}
          />
          <AltField value={form.alt} onChange={form.setAlt} />
          <Facts image={data} usedBy={data.usedBy} />
        </>
      )}
    </FormDialog>
  );
}

function useImageForm(image: Image | undefined, onClose: () => void) {
  const queryClient = useQueryClient();
  const [first, setFirst] = useState(image);
  const [name, setName] = useState('');
  const [alt, setAlt] = useState<Alt>({ text: '', isDecorative: false });
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (!image) return;
    setFirst(image);
    setName(image.name);
    setAlt(altOf(image));
    setError(null);
  }, [image?.id]);
  const save = async () => {
    if (!image) return;
    const said = altText(alt);
    setPending(true);
    try {
      const body = { name, ...(said === null ? {} : { alt: said }) };
      await call(changeImage, { params: { id: image.id }, body });
      await refreshImages(queryClient);
      onClose();
      toastDone({ title: 'Image Updated', message: `“${name.trim()}” is saved.` });
    } catch (failure) {
      setError(words(failure, 'Failed to save image'));
    } finally {
      setPending(false);
    }
  };
  // What somebody else has changed meanwhile was not typed here.
  const isChanged = first !== undefined && (name !== first.name || altText(alt) !== first.alt);
  return { name, setName, alt, setAlt, isChanged, error, pending, save };
}

function Facts({ image, usedBy }: { image: Image; usedBy: readonly ImageUse[] }) {
  const { width, height, bytes, createdAt, createdBy, url, keptUntil } = image;
  return (
    <div className={classes.more}>
      <p>
        {formatNumber(width)} × {formatNumber(height)} · {formatBytes(bytes)} · added{' '}
        {formatFullDate(createdAt)}
        {createdBy && ` by ${createdBy}`}
      </p>
      <p className={classes.address}>{url}</p>
      <p>{whoShows({ usedBy, keptUntil })}</p>
    </div>
  );
}
