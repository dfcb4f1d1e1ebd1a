import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageOfRows, placeById, placeOfPage, readCursor, writeCursor } from './cursor.ts';

const scope = { workspaceId: 1, list: '/api/emails', of: { sort: 'address', search: undefined } };
const place = z.tuple([z.number(), z.string()]);

describe('a cursor', () => {
  it('names the place it was made of, whatever text is in it', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ unit: 'binary' }), (id, text) => {
        fc.pre(text.isWellFormed());
        expect(readCursor(scope, writeCursor(scope, [id, text]), place)).toEqual([id, text]);
      }),
    );
  });

  it('can stand in an address as it is', () => {
    expect(writeCursor(scope, [1, 'ä?&/ü'])).toMatch(/^[\w-]+$/);
  });

  it.each([
    ['another workspace', { ...scope, workspaceId: 2 }],
    ['another list', { ...scope, list: '/api/imports' }],
    ['another order', { ...scope, of: { sort: 'createdAt' } }],
    ['another filter', { ...scope, of: { sort: 'address', search: 'a' } }],
  ])('of %s is refused', (_what, other) => {
    expect(() => readCursor(scope, writeCursor(other, [1, 'a']), place)).toThrow(
      /does not belong to this list/,
    );
  });

  it('does not mind in which order the filters are written, nor one that is not there', () => {
    const same = { ...scope, of: { status: undefined, sort: 'address' } };
    const given = writeCursor({ ...scope, of: { sort: 'address', status: undefined } }, [1, 'a']);
    expect(readCursor(same, given, place)).toEqual([1, 'a']);
    expect(readCursor({ ...scope, of: { sort: 'address' } }, given, place)).toEqual([1, 'a']);
  });

  it('that is made up or cut off is refused in words', () => {
    const made = writeCursor(scope, [1, 'a']);
    for (const cursor of ['x', 'AAAAAAAAAAAA', made.slice(0, -2), `${made}AA`, '!!!', '😀']) {
      expect(() => readCursor(scope, cursor, place)).toThrow(/does not belong to this list/);
    }
  });

  it('of another shape is refused', () => {
    expect(() => readCursor(scope, writeCursor(scope, ['a', 1]), place)).toThrow(/does not belong/);
  });
});

describe('a page', () => {
  it('by number is so many items in', () => {
    expect(placeOfPage(scope, { page: 3, limit: 20 }, place)).toEqual({ after: null, offset: 40 });
  });

  it('by cursor and by number at once is refused', () => {
    const cursor = writeCursor(scope, [7]);
    expect(placeById(scope, { page: 1, limit: 20, cursor })).toEqual({ after: 7, offset: 0 });
    expect(() => placeById(scope, { page: 2, limit: 20, cursor })).toThrow(/either a cursor or a page/);
  });

  it('leads on as long as there is more', () => {
    const rows = [{ id: 9 }, { id: 5 }, { id: 3 }];
    const { rows: shown, nextCursor } = pageOfRows(scope, rows, 2);
    expect(shown).toEqual([{ id: 9 }, { id: 5 }]);
    expect(placeById(scope, { page: 1, limit: 2, cursor: nextCursor ?? '' }).after).toBe(5);
    expect(pageOfRows(scope, rows, 3).nextCursor).toBeNull();
    expect(pageOfRows(scope, [], 3).nextCursor).toBeNull();
  });
});
