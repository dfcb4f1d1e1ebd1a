import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { ImageFormat } from '../rules/address.ts';

export interface ImageRow {
  id: number;
  token: string;
  format: ImageFormat;
  name: string;
  alt: string | null;
  width: number;
  height: number;
  bytes: number;
  isAnimated: boolean;
  /** Mails that were sent show it: its file stays until then. Null: none has yet. */
  keptUntil: Date | null;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** `isDeleted` where deleted ones are asked for too. */
export type AnyImageRow = ImageRow & { isDeleted: boolean };

const columns = sql`
  i.id, i.token, i.format, i.name, i.alt, i.width, i.height, i.bytes, i.is_animated as "isAnimated", i.kept_until as "keptUntil",
  i.created_by as "createdBy", i.created_at as "createdAt", i.updated_at as "updatedAt"`;

/** The images of a workspace whose name or alternative text has this in it. */
const listed = (workspaceId: number, search: string | undefined) => sql`
  i.workspace_id = ${workspaceId} and i.deleted_at is null
  ${search ? sql`and position(lower(${search}) in lower(i.name || ' ' || coalesce(i.alt, ''))) > 0` : sql``}`;

interface Piece {
  after: number | null;
  offset: number;
  limit: number;
}

/** Images, newest first. */
export async function selectImages(
  tx: TenantTx,
  workspaceId: number,
  search: string | undefined,
  { after, offset, limit }: Piece,
): Promise<ImageRow[]> {
  const { rows } = await sql<ImageRow>`
    select ${columns} from images i
    where ${listed(workspaceId, search)} ${after === null ? sql`` : sql`and i.id < ${after}`}
    order by i.id desc limit ${limit} offset ${offset}`.execute(tx);
  return rows;
}

/** How many images there are with this in their name or alternative text. */
export async function countImages(
  tx: TenantTx,
  workspaceId: number,
  search: string | undefined,
): Promise<number> {
  const { rows } = await sql<{ images: number }>`
    select count(*) as images from images i where ${listed(workspaceId, search)}`.execute(tx);
  return rows[0]?.images ?? 0;
}

export interface Kept {
  /** Those that are not deleted, and what they take up. */
  images: number;
  bytes: number;
  deletedBytes: number;
}

/** What is kept for a workspace. */
export async function selectKept(tx: TenantTx, workspaceId: number): Promise<Kept> {
  const { rows } = await sql<Kept>`
    select count(*) filter (where i.deleted_at is null) as images,
      coalesce(sum(i.bytes) filter (where i.deleted_at is null), 0)::bigint as bytes,
      coalesce(sum(i.bytes) filter (where i.deleted_at is not null), 0)::bigint as "deletedBytes"
    from images i where i.workspace_id = ${workspaceId}`.execute(tx);
  return rows[0] ?? { images: 0, bytes: 0, deletedBytes: 0 };
}

/** One image, deleted or not. With `lock`, nobody else changes it until the transaction ends. */
export async function selectImage(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { lock = false } = {},
): Promise<AnyImageRow | undefined> {
  const { rows } = await sql<AnyImageRow>`
    select ${columns}, i.deleted_at is not null as "isDeleted" from images i
    where i.workspace_id = ${workspaceId} and i.id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

/** The image that was made of this file, deleted or not. */
export async function selectByContent(
  tx: TenantTx,
  workspaceId: number,
  contentHash: Buffer,
): Promise<AnyImageRow | undefined> {
  const { rows } = await sql<AnyImageRow>`
    select ${columns}, i.deleted_at is not null as "isDeleted" from images i
    where i.workspace_id = ${workspaceId} and i.content_hash = ${contentHash}`.execute(tx);
  return rows[0];
}

export interface NewImage extends Omit<ImageRow, 'id' | 'keptUntil' | 'createdAt' | 'updatedAt'> {
  contentHash: Buffer;
}

/** Stores an image and answers its id. */
export async function insertImage(tx: TenantTx, workspaceId: number, image: NewImage): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into images (workspace_id, token, format, content_hash, name, alt, width, height, bytes, is_animated, created_by)
    values (${workspaceId}, ${image.token}, ${image.format}, ${image.contentHash}, ${image.name}, ${image.alt},
      ${image.width}, ${image.height}, ${image.bytes}, ${image.isAnimated}, ${image.createdBy})
    returning id`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('an image was kept without an answer');
  return row.id;
}

/** Renames an image or changes what it says to those who do not see it. */
export async function updateImage(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { name, alt }: { name: string; alt: string | null },
): Promise<void> {
  await sql`
    update images set name = ${name}, alt = ${alt}, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Marks an image as deleted or brings it back. */
export async function markDeleted(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  isDeleted: boolean,
): Promise<void> {
  await sql`
    update images set deleted_at = ${isDeleted ? sql`now()` : sql`null`}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Images that were deleted more than this many days ago, and that no mail needs any more. */
export async function selectLongDeleted(
  tx: TenantTx,
  workspaceId: number,
  days: number,
): Promise<Pick<ImageRow, 'id' | 'token'>[]> {
  const { rows } = await sql<Pick<ImageRow, 'id' | 'token'>>`
    select i.id, i.token from images i
    where i.workspace_id = ${workspaceId} and i.deleted_at < now() - make_interval(days => ${days})
      and (i.kept_until is null or i.kept_until < now())`.execute(tx);
  return rows;
}

/** Forgets these images for good, unless somebody has brought them back or sent one meanwhile. */
export async function deleteForGood(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<Pick<ImageRow, 'token' | 'format'>[]> {
  const { rows } = await sql<Pick<ImageRow, 'token' | 'format'>>`
    delete from images
    where workspace_id = ${workspaceId} and id = any(${ids}) and deleted_at is not null
      and (kept_until is null or kept_until < now())
    returning token, format`.execute(tx);
  return rows;
}

/**
 * Keeps the files of these images for so many years from now. Writes nothing where that was done
 * within a day: single messages are sent all the time.
 */
export async function keepFiles(
  tx: TenantTx,
  workspaceId: number,
  tokens: readonly string[],
  years: number,
): Promise<void> {
  await sql`
    update images set kept_until = now() + make_interval(years => ${years})
    where workspace_id = ${workspaceId} and id in (
      select i.id from images i
      where i.workspace_id = ${workspaceId} and i.token = any(${tokens})
        and (i.kept_until is null or i.kept_until < now() + make_interval(years => ${years}, days => -1))
      order by i.id for update)`.execute(tx);
}

/** The token and format of everything that is kept, deleted images included. */
export async function selectFiles(
  tx: TenantTx,
  workspaceId: number,
): Promise<Pick<ImageRow, 'token' | 'format'>[]> {
  const { rows } = await sql<Pick<ImageRow, 'token' | 'format'>>`
    select i.token, i.format from images i where i.workspace_id = ${workspaceId}`.execute(tx);
  return rows;
}

/** The bytes of the images with these tokens. */
export async function selectSizes(
  tx: TenantTx,
  workspaceId: number,
  tokens: readonly string[],
): Promise<Pick<ImageRow, 'token' | 'bytes'>[]> {
  const { rows } = await sql<Pick<ImageRow, 'token' | 'bytes'>>`
    select i.token, i.bytes from images i
    where i.workspace_id = ${workspaceId} and i.token = any(${tokens})`.execute(tx);
  return rows;
}
