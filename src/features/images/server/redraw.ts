import type { Sharp } from 'sharp';
import type { AppError } from '#platform/shared/errors.ts';
import { formatDecimal, formatNumber } from '#platform/shared/words.ts';
import type { ImageFormat } from '../rules/address.ts';
import { imageError } from '../rules/codes.ts';
import { isTaken, kindOf, type TakenKind, whyRefused } from '../rules/image-kind.ts';
import { mostPixels, tallest, widest } from '../rules/limits.ts';

export interface Redrawn {
  bytes: Buffer;
  format: ImageFormat;
  width: number;
  height: number;
  isAnimated: boolean;
}

type SharpModule = typeof import('sharp');

let loading: Promise<SharpModule['default']> | undefined;

/** Loaded by the first upload: most processes never need it, and it takes a tenth of a second. */
const load = () => {
  loading ??= import('sharp').then(({ default: sharp }) => prepared(sharp));
  return loading;
};

/** It reads only our formats, not all of its library. One thread, so that calls keep theirs. */
function prepared(sharp: SharpModule['default']): SharpModule['default'] {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
  });
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/** Seconds for drawing one image. The largest animation takes a few. */
const patience = 30;

/**
 * Draws an image anew: upright, no larger than emails show, in a format that every mail program
 * knows. Only its pixels stay, so nothing that was hidden in the file does.
 *
 * @throws AppError `not_an_image`, `too_many_pixels` or `damaged_image`
 */
export async function redraw(bytes: Buffer): Promise<Redrawn> {
  const kind = kindOf(bytes);
  if (!isTaken(kind)) throw refused(whyRefused(kind));
  const sharp = await load();
  try {
    // The head alone; nothing is decoded. An animation's height is that of all frames.
    const head = await sharp(bytes, { pages: -1, limitInputPixels: false }).metadata();
    if (head.format !== kind) throw damaged();
    refuseMany(head.width, head.height);
    const isAnimated = (head.pages ?? 1) > 1;
    const drawn = sharp(bytes, {
      pages: isAnimated ? -1 : 1,
      limitInputPixels: mostPixels,
      failOn: 'error',
      sequentialRead: true,
    })
      .timeout({ seconds: patience })
      .autoOrient()
      .resize({ width: widest, height: tallest, fit: 'inside', withoutEnlargement: true });
    const format = formatFor(kind, isAnimated, head.hasAlpha);
    const { data, info } = await encoded(drawn, format, head.isPalette).toBuffer({ resolveWithObject: true });
    return { bytes: data, format, width: info.width, height: info.pageHeight ?? info.height, isAnimated };
  } catch (error) {
    throw (error as AppError).name === 'AppError' ? error : damaged(error);
  }
}

/** Not every mail program shows WebP. */
function formatFor(kind: TakenKind, isAnimated: boolean, hasAlpha: boolean): ImageFormat {
  if (isAnimated || kind === 'gif') return 'gif';
  return kind === 'jpeg' || (kind === 'webp' && !hasAlpha) ? 'jpg' : 'png';
}

function encoded(drawn: Sharp, format: ImageFormat, isPalette: boolean): Sharp {
  if (format === 'gif') return drawn.gif({ effort: 4 });
  if (format === 'jpg') return drawn.jpeg({ quality: 82, progressive: true });
  return drawn.png({ compressionLevel: 9, palette: isPalette });
}

function refuseMany(width: number, height: number): void {
  const pixels = width * height;
  if (pixels <= mostPixels) return;
  const size = `${formatNumber(width)} × ${formatNumber(height)}`;
  throw imageError(
    'too_many_pixels',
    `This image has ${formatDecimal(pixels / 1e6)} million pixels (${size}, all frames together), and at most 50 million are taken. Make it smaller and try again.`,
    { fields: { file: 'Make it smaller.' } },
  );
}

const refused = (message: string) => imageError('not_an_image', message, { fields: { file: message } });

function damaged(cause?: unknown): AppError {
  const message =
    'This image is damaged or not complete, so it cannot be shown. Open it, save it again and try that.';
  return imageError('damaged_image', message, { fields: { file: message }, cause });
}
