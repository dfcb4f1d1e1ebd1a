import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { changeImage, type Image } from '../contract.ts';
import { type Alt, AltField, altOf, altText } from './alt-field.tsx';
import { refreshImages } from './image-actions.ts';
import { ImageLibrary, type LibraryState } from './image-library.tsx';
import { ImageTile } from './image-tile.tsx';
import classes from './images.module.css';
import type { PickedImage } from './picked-image.ts';
import { UploadButton } from './upload-button.tsx';
import { useUploads } from './use-uploads.ts';

interface ImagePickerProps {
  /** Called once. Null: nobody chose. */
  onDone: (picked: PickedImage | null) => void;
  /** The dialog has faded out. */
  onGone: () => void;
}

/** Asks for an image, and for what it says to those who do not see it. */
export function ImagePicker({ onDone, onGone }: ImagePickerProps) {
  const [opened, setOpened] = useState(true);
  const done = (picked: PickedImage | null) => {
    if (!opened) return;
    setOpened(false);
    onDone(picked);
  };
  return (
    <Modal
      opened={opened}
      onClose={() => done(null)}
      onExitTransitionEnd={onGone}
      title="Choose an image"
      size={960}
      {...ownEscape(() => done(null))}
    >
      <Choice onDone={done} />
    </Modal>
  );
}

/**
 * The picker opens above other dialogs, and Escape closes it alone. The kit tells every open dialog
 * of the key, except where the element that has the focus carries this attribute.
 */
const ownEscape = (onEscape: () => void) => ({
  closeOnEscape: false,
  onFocusCapture: ({ target }: FocusEvent<Element>) =>
    target.setAttribute('data-mantine-stop-propagation', 'true'),
  onKeyDown: ({ key, target }: KeyboardEvent<Element>) => {
    if (key === 'Escape' && !(target as Element).closest('[role="menu"]')) onEscape();
  },
});

/** Mounted with the dialog, so that each time begins anew. */
function Choice({ onDone }: Pick<ImagePickerProps, 'onDone'>) {
  const [state, setState] = useState<LibraryState>({ page: 1, search: '' });
  const [chosen, setChosen] = useState<Image | null>(null);
  const uploads = useUploads(setChosen);
  return (
    <div className={classes.picker}>
      <ImageLibrary
        pageSize={12}
        state={state}
        change={(patch) => setState((before) => ({ ...before, ...patch }))}
        uploads={uploads}
        action={<UploadButton uploads={uploads} isPlain />}
        tile={(image) => (
          <ImageTile
            image={image}
            verb="Choose"
            isChosen={chosen?.id === image.id}
            onPress={() => setChosen(image)}
          />
        )}
      />
      <Insertion image={chosen} onDone={onDone} />
    </div>
  );
}

/** What is inserted. An image needs its alternative text, or to be only decoration. */
function Insertion({ image, onDone }: { image: Image | null } & Pick<ImagePickerProps, 'onDone'>) {
  const queryClient = useQueryClient();
  const mayEdit = useMay('editor');
  const [alt, setAlt] = useState<Alt>({ text: '', isDecorative: false });
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    if (image) setAlt(altOf(image));
    setMissing(false);
  }, [image?.id]);
  const insert = () => {
    if (!image) return;
    const said = altText(alt);
    if (said === null) return setMissing(true);
    const { id, url, width, height } = image;
    // The library remembers it for the next time. The email does not depend on that.
    if (mayEdit && said !== image.alt)
      void call(changeImage, { params: { id }, body: { alt: said } }).then(
        () => refreshImages(queryClient),
        () => undefined,
      );
    onDone({ url, alt: said, width, height });
  };
  return (
    <div className={classes.insertion}>
      {image ? (
        <div className={classes.alt}>
          <AltField
            value={alt}
            error={isMissing ? 'Say what it shows, or that it only decorates.' : null}
            onChange={(next) => {
              setAlt(next);
              setMissing(false);
            }}
          />
        </div>
      ) : (
        <p className={classes.hint}>Choose an image, or drop or paste a new one.</p>
      )}
      <div className={classes.buttons}>
        <Button variant="subtle" color="gray" onClick={() => onDone(null)}>
          Cancel
        </Button>
        <Button disabled={!image} onClick={insert}>
          Insert image
        </Button>
      </div>
    </div>
  );
}
