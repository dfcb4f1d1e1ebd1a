import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#platform/shared/errors.ts';

/**
 * A cursor is a place in a list as opaque text: what the next page begins after. It goes with one
 * list of one workspace with its filters and its order, of which it carries a digest, so that one
 * of another list is refused and not misread. It is no secret and opens nothing: whoever makes one
 * up reads what they may read anyway.
 */

/** What a place belongs to. */
export interface CursorScope {
  workspaceId: number;
  /** The path of the call. */
  list: string;
  /** The filters and the order: all that decides what is in the list and what comes after what. */
  of: object;
}

const digestBytes = 9;

function digestOf({ workspaceId, list, of }: CursorScope, place: string): Buffer {
  const given = Object.entries(of).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([workspaceId, list, given.sort(), place]);
  return createHash('sha256').update(text).digest().subarray(0, digestBytes);
}

/** The cursor of a place. */
export function writeCursor(scope: CursorScope, place: object): string {
  const text = JSON.stringify(place);
  return Buffer.concat([digestOf(scope, text), Buffer.from(text)]).toString('base64url');
}

/**
 * The place that a cursor names; throws `invalid_input` for one of another list, and for text that
 * is none.
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
    // Only who computes the digest of such text by hand comes here.
    return undefined;
  }
}

function notOfThisList(): AppError {
  const message =
    'This cursor does not belong to this list with these filters in this order. Leave it out to begin at the first page.';
  return new AppError('invalid_input', message, { fields: { cursor: message } });
}

/** Where a page begins: after a place, or so many items into the list. */
export interface PagePlace<T> {
  after: T | null;
  offset: number;
}

/**
 * Where the page begins that a query asks for by number or by cursor; throws `invalid_input` when
 * it does both.
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

/** The place of a page in a list that stands in the order of its ids. */
export const placeById = (
  scope: CursorScope,
  query: { page: number; limit: number; cursor?: string | undefined },
): PagePlace<number> => placeOfPage(scope, query, idPlace);

/**
 * The page of `limit` among rows of which one more was read, to see whether there are more, and the
 * cursor of what comes next. For lists in the order of their ids.
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
