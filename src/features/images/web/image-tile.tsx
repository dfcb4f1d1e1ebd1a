import { Menu } from '@mantine/core';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatBytes, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { Image } from '../contract.ts';
import { heavyBytes } from '../rules/limits.ts';
import { deleteAndTell, sourceOf } from './image-actions.ts';
import classes from './images.module.css';

interface ImageTileProps {
  image: Image;
  /** What pressing it does: "Edit", "Choose". */
  verb: string;
  onPress: () => void;
  /** Absent where nothing is chosen. */
  isChosen?: boolean;
  /** Absent: no entry for it in the menu. */
  onEdit?: () => void;
}

/** One image of the library. */
export function ImageTile({ image, verb, onPress, isChosen, onEdit }: ImageTileProps) {
  const { name, alt, width, height, bytes } = image;
  return (
    <article className={classes.tile} aria-label={name} data-chosen={isChosen || undefined}>
      <button
        type="button"
        className={classes.picture}
        aria-label={`${verb} ${name}`}
        {...(isChosen === undefined ? {} : { 'aria-pressed': isChosen })}
        onClick={onPress}
      >
        <img src={sourceOf(image)} alt="" loading="lazy" decoding="async" width={width} height={height} />
      </button>
      <div className={classes.words}>
        <div className={classes.text}>
          <h3 className={classes.name} title={name}>
            {name}
          </h3>
          <p className={classes.facts}>
            <span>
              {formatNumber(width)} × {formatNumber(height)}
            </span>{' '}
            · <span>{formatBytes(bytes)}</span>
          </p>
        </div>
        <TileMenu image={image} {...(onEdit ? { onEdit } : {})} />
      </div>
      {(alt === null || bytes > heavyBytes) && (
        <div className={classes.marks}>
          {alt === null && <WordBadge tone="warning">No alternative text</WordBadge>}
          {bytes > heavyBytes && <WordBadge>Over 200 kB</WordBadge>}
        </div>
      )}
    </article>
  );
}

function TileMenu({ image, onEdit }: { image: Image; onEdit?: () => void }) {
  const queryClient = useQueryClient();
  const mayEdit = useMay('editor');
  const icon = { size: 16, stroke: 1.6 };
  return (
    <RowMenu label={image.name}>
      {() => (
        <>
          {mayEdit && onEdit && (
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
              Edit
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copyAddress(image)}>
            Copy address
          </Menu.Item>
          {mayEdit && (
            <Menu.Item
              data-danger
              leftSection={<IconTrash {...icon} />}
              onClick={() => void deleteAndTell(queryClient, image)}
            >
              Delete
            </Menu.Item>
          )}
        </>
      )}
    </RowMenu>
  );
}

async function copyAddress({ url }: Image): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toastDone({ title: 'Address Copied', message: 'Use it in the HTML of a template.' });
  } catch {
    // Browsers refuse it without https. The address can then be copied by hand.
    toastFailed({ title: 'The address was not copied', message: url });
  }
}
