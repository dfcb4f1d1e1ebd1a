import { describe, expect, it } from 'vitest';
import { columnTarget } from '../contract.ts';
import { extraTarget, withColumns, withDialect, withTarget } from './reading-choice.ts';

const dialect = { encoding: 'utf-8', delimiter: ',', lineEnd: 'LF', quote: '"', header: true } as const;

describe('where columns go', () => {
  it('moves the address to another column and leaves the old one out', () => {
    expect(withTarget(['email', 'name', 'skip'], 2, 'email')).toEqual(['skip', 'name', 'email']);
  });

  it('keeps the address where it is when another target is chosen for its column', () => {
    expect(withTarget(['email', 'skip'], 0, 'name')).toEqual(['email', 'skip']);
  });

  it('gives a field to one column only', () => {
    expect(withTarget(['email', 'name', 'skip'], 2, 'name')).toEqual(['email', 'skip', 'name']);
  });

  it('leaves any number of columns out and keeps any number as extra fields', () => {
    expect(withTarget(['email', 'skip', 'name'], 2, 'skip')).toEqual(['email', 'skip', 'skip']);
    expect(withTarget(['email', 'extra:a', 'skip'], 2, 'extra:b')).toEqual(['email', 'extra:a', 'extra:b']);
  });

  it.each(['Company', '  Post code ', '', 'x'.repeat(300), '😀'.repeat(120)])(
    'names an extra field after its header as the contract allows it: %s',
    (header) => {
      expect(columnTarget.safeParse(extraTarget(header)).success).toBe(true);
    },
  );
});

describe('how the file is read', () => {
  it('changes one part of the dialect and pins the others', () => {
    expect(withDialect(dialect, { delimiter: ';' }, null)).toEqual({
      dialect: { encoding: 'utf-8', delimiter: ';', quote: '"', header: true },
    });
  });

  it('keeps the columns somebody chose', () => {
    expect(withDialect(dialect, { header: false }, ['email']).columns).toEqual(['email']);
    expect(withColumns(dialect, ['email', 'skip'])).toEqual({
      dialect: { encoding: 'utf-8', delimiter: ',', quote: '"', header: true },
      columns: ['email', 'skip'],
    });
  });
});
