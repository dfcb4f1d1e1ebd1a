import { describe, expect, it } from 'vitest';
import type { MergeableFields } from '../rules.ts';
import { type KnownFields, surelyWritten, withoutMerge } from './without-merge.ts';

const fields = (some: KnownFields = {}): MergeableFields => ({
  name: null,
  firstName: null,
  lastName: null,
  source: null,
  date: null,
  notes: null,
  attributes: {},
  ...some,
});
const bea = { name: 'Bea Jones', firstName: 'Bea', lastName: 'Jones' };

/** The contact once a single merge is taken out of it. */
const after = (before: KnownFields, written: KnownFields, now: KnownFields) =>
  withoutMerge({ before, after: written }, [], fields(now)).now;

describe('withoutMerge', () => {
  it('puts back what stands as the merge wrote it, each field and each extra field for itself', () => {
    const before = fields({ source: 'shop', attributes: { shoe: '9' } });
    const written = fields({
      source: 'fair',
      notes: 'Rang',
      attributes: { shoe: '9', phone: '1', hat: 'M' },
    });
    const now = { source: 'web', notes: 'Rang', attributes: { shoe: '7', phone: '1', hat: 'L', pet: 'cat' } };
    expect(after(before, written, now)).toEqual(
      fields({ source: 'web', attributes: { shoe: '7', hat: 'L', pet: 'cat' } }),
    );
  });

  it('puts the three names back together, or none of them', () => {
    expect(after(fields(), fields(bea), bea)).toEqual(fields());
    const married = { ...bea, lastName: 'Smith' };
    expect(after(fields(), fields(bea), married)).toEqual(fields(married));
  });

  it('knows nothing of an erased person', () => {
    expect(after({}, fields(bea), bea)).toEqual(fields(bea));
  });

  it('takes it out of what later merges put back, until one wrote there itself', () => {
    const merge = { before: fields(), after: fields({ notes: 'One', source: 'fair' }) };
    const second = { before: merge.after, after: { ...merge.after, source: 'web' }, others: [] };
    const third = { before: second.after, after: null, others: [] };
    const { later, now } = withoutMerge(merge, [second, third], fields({ notes: 'One', source: 'web' }));
    expect(later).toEqual([
      { before: fields(), after: fields({ source: 'web' }), others: [] },
      { before: fields({ source: 'web' }), after: null, others: [] },
    ]);
    expect(now).toEqual(fields({ source: 'web' }));
  });
});

describe('withoutMerge leaves a later merge what it brings by itself:', () => {
  const brought = fields({ ...bea, notes: 'Rang', attributes: { hat: 'M', shoe: '9' } });
  const merge = { before: fields({ attributes: { shoe: '9' } }), after: brought };
  const other = { id: 7, ...fields({ ...bea, attributes: { hat: 'L', shoe: '7' } }) };
  const left = fields({ ...bea, attributes: { shoe: '9', hat: 'L' } });

  it.each([
    ['', brought],
    [', when it says only what was before', null],
  ])('the same name, and another extra field%s', (_, written) => {
    const later = { before: brought, after: written, others: [other] };
    const last = { before: brought, after: brought, others: [] };
    expect(withoutMerge(merge, [later, last], brought)).toEqual({
      later: [
        { ...later, before: merge.before, after: written && left },
        { ...last, before: left, after: left },
      ],
      now: left,
    });
  });

  it('nothing where the kept contact had something itself', () => {
    const named = { before: fields({ name: 'Al' }), after: fields(bea) };
    const later = { before: fields(bea), after: fields(bea), others: [other] };
    expect(withoutMerge(named, [later], fields(bea)).now).toEqual(fields({ name: 'Al', attributes: {} }));
  });
});

describe('surelyWritten', () => {
  it('is what one of the others has, the names only together', () => {
    const stood = fields({ ...bea, notes: 'Mine', source: 'fair', attributes: { shoe: '9', hat: 'M' } });
    const other = fields({ ...bea, notes: 'Theirs', source: 'fair', attributes: { hat: 'M', pet: 'cat' } });
    const before = fields({ attributes: { shoe: '9' } });
    const sure = { source: 'fair', attributes: { shoe: '9', hat: 'M' } };
    expect(surelyWritten(before, stood, [other])).toEqual({ ...bea, ...sure });
    expect(surelyWritten(before, { ...stood, firstName: 'B' }, [other])).toEqual(sure);
    expect(surelyWritten(before, stood, [])).toEqual({ attributes: { shoe: '9' } });
  });
});
