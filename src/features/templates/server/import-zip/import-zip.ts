import { imageAlt } from '#features/images/contract.ts';
import { mostMegabytes } from '#features/images/rules/limits.ts';
import { nameFrom } from '#features/images/rules/names.ts';
import type { SentImage, StoredImage } from '#features/images/server/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { longestHtml, mostZipImages } from '../../contract/import-html.ts';
import type { importZip as endpoint } from '../../contract.ts';
import { refuseDeep } from '../../rules/html/parsed.ts';
import { htmlFilesOf } from '../../rules/zip/choose-html.ts';
import { type PictureReference, picturesIn, withPictures } from '../../rules/zip/picture-references.ts';
import { importHtml } from '../import-html.ts';
import { refusal } from './zip-failures.ts';
import { TooLarge, ZipReader } from './zip-reader.ts';

type Answer = ResponseOf<typeof endpoint>;

/** Bytes. What is taken has fewer characters. */
const largestHtml = 4_000_000;
const largestImage = mostMegabytes * 1_048_576;
/** No address of an image is longer than this. */
const longestAddress = 300;

/** Stores an image. */
type Store = (sent: SentImage) => Promise<StoredImage>;

/**
 * Makes the HTML of a zip the content of a template, with the images that it shows. They are stored
 * once it is known that the HTML can be kept. Without `store` the caller may not store any:
 * `forbidden`.
 */
export async function importZip(workspaceId: number, path: string, store: Store | null): Promise<Answer> {
  const zip = await ZipReader.open(path);
  try {
    const [htmlFile, ...otherHtmlFiles] = htmlFilesOf(zip.names);
    if (htmlFile === undefined) throw refusal('There is no HTML in this zip.');
    const imported = await importHtml(workspaceId, { html: await htmlIn(zip, htmlFile) });
    const shown = picturesIn(imported.htmlContent, htmlFile);
    refuseUnkept(imported.htmlContent, shown.length);
    const stored = await storeShown(zip, store ?? refuseKey, shown);
    return {
      ...imported,
      htmlContent: withPictures(imported.htmlContent, stored.urls),
      htmlFile,
      otherHtmlFiles,
      images: stored.images,
      lostImages: stored.lostImages,
    };
  } finally {
    zip.close();
  }
}

async function htmlIn(zip: ZipReader, name: string): Promise<string> {
  const bytes = await zip.read(name, largestHtml).catch((error) => {
    throw error instanceof TooLarge ? tooLong() : error;
  });
  const html = decoded(bytes);
  if (html.includes('\0')) throw refusal(`“${name}” in this zip is no HTML.`);
  if (html.trim() === '') throw refusal(`“${name}” in this zip is empty.`);
  if (html.length > longestHtml) throw tooLong();
  return html;
}

const tooLong = () => refusal('The HTML in this zip is larger than 1 MB. Take something out of it.');

/** Many programs still write in the code page of Windows, which UTF-8 cannot read. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What no template could keep is refused before any image is stored. */
function refuseUnkept(html: string, pictures: number): void {
  refuseDeep(html);
  if (Buffer.byteLength(html) + pictures * longestAddress > longestHtml) throw tooLong();
}

function refuseKey(): never {
  throw new AppError('forbidden', 'To import a zip with images, the key needs the scope images:write.');
}

type Result = Omit<Answer['images'][number], 'file'> | { words: string };

/** Stores what is shown, one after the other, and says of the rest why it was not. */
async function storeShown(zip: ZipReader, store: Store, shown: readonly PictureReference[]) {
  const urls = new Map<string, string>();
  const byPath = new Map<string, Result>();
  const stored: Answer['images'] = [];
  const lostImages: Answer['lostImages'] = [];
  for (const reference of shown) {
    const { written, path } = reference;
    const known = byPath.get(path);
    const result = known ?? (await storeOne(zip, store, reference, byPath.size));
    byPath.set(path, result);
    if ('words' in result) lostImages.push({ file: written, words: result.words });
    else {
      urls.set(written, result.url);
      if (!known) stored.push({ file: path, ...result });
    }
  }
  return { urls, images: stored, lostImages };
}

/** How an image may be refused without a word against the others. */
const refusals = new Set([
  'not_an_image',
  'damaged_image',
  'too_many_pixels',
  'images_full',
  'invalid_input',
]);

async function storeOne(
  zip: ZipReader,
  store: Store,
  { path, alt }: PictureReference,
  before: number,
): Promise<Result> {
  if (path === '' || !zip.has(path)) return { words: 'It is not in the zip.' };
  if (before >= mostZipImages)
    return { words: `Only the first ${mostZipImages} images are taken. Upload this one.` };
  try {
    const bytes = await zip.read(path, largestImage);
    const name = nameFrom(path.split('/').at(-1) ?? '');
    const { image, wasThere } = await store({ bytes, name, alt: altOf(alt) });
    return { id: image.id, url: image.url, wasThere };
  } catch (error) {
    if (error instanceof TooLarge) return { words: `It is larger than the ${mostMegabytes} MB allowed.` };
    if (error instanceof AppError && refusals.has(error.code)) return { words: error.message };
    throw error;
  }
}

/** What an image shows, if it can be kept. */
function altOf(alt: string | null): string | null {
  const kept = imageAlt.safeParse(alt);
  return kept.success ? kept.data : null;
}
