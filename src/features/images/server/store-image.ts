import { createHash, randomBytes } from 'node:crypto';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { currentContext } from '#platform/server/call-context.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { Image } from '../contract.ts';
import { imageError } from '../rules/codes.ts';
import { mostBytes, mostImages } from '../rules/limits.ts';
import type { ImagesContext } from './context.ts';
import { restoreImage } from './delete-image.ts';
import { keyOf } from './image-files.ts';
import { imagesLock } from './locks.ts';
import { needImage, present } from './present.ts';
import {
  type AnyImageRow,
  insertImage,
  type NewImage,
  selectByContent,
  selectKept,
  updateImage,
} from './queries.ts';
import { type Redrawn, redraw } from './redraw.ts';

/** An image as it was sent. */
export interface SentImage {
  bytes: Buffer;
  name: string;
  /** Null: nobody has said what it shows. */
  alt: string | null;
}

/** An image that is kept. */
export interface StoredImage {
  image: Image;
  /** The library had it already. */
  wasThere: boolean;
}

/** How long an image waits for its turn to be drawn. */
const waitMs = 60_000;

/**
 * Draws an image anew and keeps it. The same file again gives the image that is there, brought back
 * if it was deleted. Must not be called within a transaction: drawing waits for its turn.
 *
 * @throws AppError `not_an_image`, `too_many_pixels`, `damaged_image` or `images_full`
 */
export async function storeImage(
  context: ImagesContext,
  actor: Actor,
  sent: SentImage,
): Promise<StoredImage> {
  const { db, kept, publicUrl } = context;
  const { workspaceId } = actor;
  const contentHash = createHash('sha256').update(sent.bytes).digest();
  const known = await db.asTenant(workspaceId, (tx) => takeKnown(tx, actor, contentHash, sent));
  if (known) {
    const image = present({ publicUrl }, workspaceId, known.row);
    return { image, wasThere: !known.wasDeleted };
  }
  await db.asTenant(workspaceId, (tx) => refuseFull(tx, workspaceId, 0), { isAside: true });
  const drawn = await drawInTurn(context, workspaceId, sent.bytes);
  const token = randomBytes(16).toString('base64url');
  const key = keyOf({ workspaceId, token, format: drawn.format });
  await kept.write(key, drawn.bytes).catch((error: unknown) => {
    context.disk.notice(error);
    throw error;
  });
  const image = { ...sent, ...measured(drawn), token, contentHash, createdBy: actor.email };
  try {
    const row = await db.asTenant(workspaceId, (tx) => addImage(tx, actor, image));
    if (row.token === token) context.count.stored(row.bytes);
    else await kept.remove(key);
    return { image: present({ publicUrl }, workspaceId, row), wasThere: row.token !== token };
  } catch (error) {
    // If a commit's answer is lost, a row may name the file. If none does, a night removes it.
    if (error instanceof AppError) await kept.remove(key);
    throw error;
  }
}

const measured = ({ bytes, ...drawn }: Redrawn) => ({ ...drawn, bytes: bytes.length });

async function drawInTurn(
  { turns, count }: ImagesContext,
  workspaceId: number,
  bytes: Buffer,
): Promise<Redrawn> {
  const { person = null, gone } = currentContext();
  const end = await turns.enter({ workspaceId, person }, { waitMs, gone: gone?.() });
  const begun = performance.now();
  try {
    return await redraw(bytes);
  } finally {
    end();
    count.drawn((performance.now() - begun) / 1000);
  }
}

/** The image that was made of the same file. What was not said of it yet is taken over. */
async function takeKnown(
  tx: TenantTx,
  actor: Actor,
  contentHash: Buffer,
  { alt }: Pick<SentImage, 'alt'>,
): Promise<{ row: AnyImageRow; wasDeleted: boolean } | undefined> {
  const { workspaceId } = actor;
  const known = await selectByContent(tx, workspaceId, contentHash);
  if (!known) return undefined;
  if (known.isDeleted) await restoreImage(tx, actor, known.id);
  if (known.alt === null && alt !== null) await updateImage(tx, workspaceId, known.id, { ...known, alt });
  return { row: await needImage(tx, workspaceId, known.id), wasDeleted: known.isDeleted };
}

/** Adds a row, unless the same file came in twice at once: then the first one counts. */
async function addImage(tx: TenantTx, actor: Actor, image: NewImage): Promise<AnyImageRow> {
  const { workspaceId, email } = actor;
  await takeLock(tx, imagesLock, workspaceId);
  const twin = await takeKnown(tx, actor, image.contentHash, image);
  if (twin) return twin.row;
  await refuseFull(tx, workspaceId, image.bytes);
  const id = await insertImage(tx, workspaceId, image);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'image.uploaded',
    subject: `image:${id}`,
    details: { name: image.name },
  });
  return needImage(tx, workspaceId, id);
}

/** Throws `images_full` where this many bytes more would be too many. */
async function refuseFull(tx: TenantTx, workspaceId: number, bytes: number): Promise<void> {
  const kept = await selectKept(tx, workspaceId);
  if (kept.images >= mostImages)
    throw full(`This workspace has ${formatNumber(mostImages)} images, as many as it may have.`);
  if (kept.bytes + bytes > mostBytes)
    throw full('The images of this workspace take up 1 GB, as much as they may.');
  if (kept.bytes + kept.deletedBytes + bytes > 2 * mostBytes)
    throw full('The images of this workspace and those it has deleted lately take up 2 GB.');
}

const full = (message: string) =>
  imageError('images_full', `${message} Nothing was stored. Delete some that no template or campaign shows.`);
