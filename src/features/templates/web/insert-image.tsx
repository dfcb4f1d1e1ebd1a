import { Button } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { type PickedImage, useImagePicker } from '#features/images/web/index.ts';

/**
 * What an email shows at most, in pixels. Images have twice as many pixels, for screens of high
 * density.
 */
const widthOfEmail = 600;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The width stands in the tag too: Outlook reads no style for it. */
export const imageTag = ({ url, alt, width }: PickedImage): string =>
  `<img src="${escaped(url)}" alt="${escaped(alt)}" width="${Math.min(width, widthOfEmail)}" style="max-width: 100%; height: auto; border: 0;">`;

/** The same in MJML, which writes the rest itself. */
export const imageOfMjml = ({ url, alt, width }: PickedImage): string =>
  `<mj-image src="${escaped(url)}" alt="${escaped(alt)}" width="${Math.min(width, widthOfEmail)}px" />`;

interface InsertImageProps {
  /** The field with the HTML. */
  field: RefObject<HTMLTextAreaElement | null>;
  html: string;
  onChange: (html: string) => void;
}

/** Puts an image of the library into HTML, where the cursor was. */
export function InsertImage({ field, html, onChange }: InsertImageProps) {
  const { pickImage, picker } = useImagePicker();
  const insert = async () => {
    const from = field.current?.selectionStart ?? html.length;
    const to = field.current?.selectionEnd ?? html.length;
    const picked = await pickImage();
    if (!picked) return;
    onChange(html.slice(0, from) + imageTag(picked) + html.slice(to));
    field.current?.focus();
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPhotoPlus size={16} stroke={1.6} />}
        onClick={() => void insert()}
      >
        Insert image
      </Button>
      {picker}
    </>
  );
}
