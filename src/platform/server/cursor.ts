import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#platform/shared/errors.ts';

/**
 * A cursor marks a place in a list as opaque text: the next page begins after it. It belongs to one
 * list of one workspace with its filters and order. It carries a digest of these, so that a cursor
 * of another list is refused instead of misread. It is not secret and opens nothing: someone who
 * forges one can only read what they may read anyway.
 */

/** What a place belongs to. */
export interface CursorScope {
  workspaceId: number;
  /** The path of the call. */
  list: string;
  /**
   * The filters and the order: everything that decides which items are in the list and in what
   * order.
   */
  of: object;
}

const digestBytes = 9;

function digestOf({ workspaceId, list, of }: CursorScope, place: string): Buffer {
  const given = Object.entries(of).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([workspaceId, list, given.sort(), place]);
  return createHash('sha256').update(text).digest().subarray(0, digestBytes);
}

export function writeCursor(scope: CursorScope, place: object): string {
  const text = JSON.stringify(place);
  return Buffer.concat([digestOf(scope, text), Buffer.from(text)]).toString('base64url');
}

/**
 * The place that a cursor names. Throws `invalid_input` for a cursor of another list and for text
 * that is not a cursor.
 */
export function readCursor<T extends z.ZodType>(scope: CursorScope, cursor: string, place: T): z.output<T> {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(digestBytes).toString();
  if (!bytes.subarray(0, digestBytes).equals(digestOf(scope, text))) throw notOfThisList();
  const read = place.safeParse(parsed(text));
  if (!read.success) throw notOfThisList();
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Only a caller who computes the digest of such text by hand gets here.
    return undefined;
  }
}

function notOfThisList(): AppError {
  const message =
    'This cursor does not belong to this list with these filters in this order. Leave it out to begin at the first page.';
  return new AppError('invalid_input', message, { fields: { cursor: message } });
}

/** Where a page begins: after a place, or this many items into the list. */
export interface PagePlace<T> {
  after: T | null;
  offset: number;
}

/**
 * Where the page begins that a query asks for by number or by cursor. Throws `invalid_input` when
 * it gives both.
 */
export function placeOfPage<T extends z.ZodType>(
  scope: CursorScope,
  query: { page: number; limit: number; cursor?: string | undefined },
  place: T,
): PagePlace<z.output<T>> {
  if (query.cursor === undefined) return { after: null, offset: (query.page - 1) * query.limit };
  if (query.page > 1) {
    const message = 'Give either a cursor or a page, not both.';
    throw new AppError('invalid_input', message, { fields: { cursor: message } });
  }
  return { after: readCursor(scope, query.cursor, place), offset: 0 };
}

const idPlace = z.tuple([z.number().int().positive()]).transform(([id]) => id);

/** A page's place in a list ordered by id. */
export const placeById = (
  scope: CursorScope,
  query: { page: number; limit: number; cursor?: string | undefined },
): PagePlace<number> => placeOfPage(scope, query, idPlace);

/**
 * A page of at most `limit` rows and the cursor of the next one. Pass one row more than `limit`, so
 * that it can tell whether there are more. For lists ordered by id.
 */
export function pageOfRows<T extends { id: number }>(
  scope: CursorScope,
  rows: readonly T[],
  limit: number,
): { rows: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? writeCursor(scope, [last.id]) : null };
}
