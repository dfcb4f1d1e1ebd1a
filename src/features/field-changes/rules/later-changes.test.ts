import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ContactChange,
  type ContactFields,
  takenBack,
} from '#features/contacts/rules/contact-change.ts';
import { alreadySet, fieldsAfter, fieldsBack, fieldsOfChange } from '../rules.ts';
import { joined, type KeptLine, setBy, takenOut } from './later-changes.ts';

const line = (before: ContactChange, after: ContactChange, more: Partial<KeptLine> = {}): KeptLine => ({
  before,
  after,
  changedBefore: null,
  changedAt: '1',
  ...more,
});
const town = (value: string | null): ContactChange => ({ attributes: { town: value } });

describe('takenOut', () => {
  it('leaves all to put back when no later change has the fields', () => {
    const kept = line(town('a'), town('b'));
    expect(takenOut(kept, [line({ notes: 'x' }, { notes: 'y' })])).toEqual({
      own: { before: town('a'), after: town('b') },
      isAll: true,
      handed: [],
    });
  });

  it('hands a value to the next change that found it, and when the contact was changed', () => {
    const kept = line(town('a'), town('b'), { changedBefore: '0' });
    const next = line(town('b'), town('c'), { changedBefore: '1', changedAt: '2' });
    const last = line(town('c'), town('d'), { changedBefore: '2', changedAt: '3' });
    expect(takenOut(kept, [next, last])).toEqual({
      own: { before: {}, after: {} },
      isAll: false,
      handed: [{ line: { ...next, before: town('a'), changedBefore: '0' }, more: 0 }],
    });
  });

  it('counts a contact that had the value already from then on, and no more what is as before', () => {
    const kept = line(town('a'), town('b'));
    expect(takenOut(kept, [line(town('b'), town('b'))]).handed).toMatchObject([{ more: 1 }]);
    expect(takenOut(kept, [line(town('b'), town('a'))]).handed).toMatchObject([{ more: -1 }]);
  });

  it('takes each field for itself, and the three names as one', () => {
    const names = (name: string, firstName: string, lastName: string) => ({ name, firstName, lastName });
    const kept = line(
      { ...names('A B', 'A', 'B'), notes: null, ...town('a') },
      { ...names('X B', 'X', 'B'), notes: 'n', ...town('b') },
    );
    const next = line(
      { ...names('X B', 'X', 'B'), notes: 'other' },
      { ...names('X Y', 'X', 'Y'), notes: 'm' },
    );
    expect(takenOut(kept, [next])).toEqual({
      own: { before: { notes: null, ...town('a') }, after: { notes: 'n', ...town('b') } },
      isAll: false,
      handed: [{ line: { ...next, before: { ...next.before, ...names('A B', 'A', 'B') } }, more: 0 }],
    });
  });

  it('leaves what a later change has set again after others had changed it', () => {
    const { own, handed } = takenOut(line(town('a'), town('b')), [line(town('mine'), town('b'))]);
    expect([own, handed]).toEqual([{ before: {}, after: {} }, []]);
  });
});

describe('setBy', () => {
  it('is what earlier changes have set, in whichever order the keys come', () => {
    const had = { name: 'A', firstName: 'A', lastName: null, notes: 'n', ...town('b') };
    const earlier = line({}, { lastName: null, firstName: 'A', name: 'A', notes: 'other' });
    expect(setBy(had, [earlier])).toEqual({ name: 'A', firstName: 'A', lastName: null });
    expect(setBy(had, [earlier, line(town(null), town('b'))])).toMatchObject(town('b'));
  });
});

/** A contact and the changes of its fields, as the server makes and undoes them. */
class Contact {
  fields: ContactFields;
  readonly lines = new Map<number, KeptLine>();
  constructor(fields: ContactFields) {
    this.fields = fields;
  }
  set(id: number, set: ContactChange) {
    const before = this.fields;
    const after = fieldsAfter(before, { set });
    if (after === 'full') throw new Error('full');
    const also = setBy(alreadySet(before, after ?? before, { set }), [...this.lines.values()]);
    const { expected, ...back } = takenBack(before, after ?? before);
    const kept = line(joined([back, also]), joined([expected, also]));
    if (fieldsOfChange(kept.after).length > 0) this.lines.set(id, kept);
    this.fields = after ?? before;
  }
  undo(id: number) {
    const kept = this.lines.get(id);
    if (!kept) return;
    const later = [...this.lines].filter(([other]) => other > id).map(([other, one]) => ({ ...one, other }));
    const { own, handed } = takenOut(kept, later);
    for (const { line: one } of handed) this.lines.set(one.other, one);
    this.fields = fieldsBack(this.fields, own)?.fields ?? this.fields;
    this.lines.delete(id);
  }
}

it('has what the last change set that stands, in whichever order others are undone', () => {
  const text = fc.constantFrom('a', 'b', 'c');
  const start = fc.record({
    ...{ name: fc.option(text), firstName: fc.option(text), lastName: fc.option(text) },
    notes: fc.option(text),
    attributes: fc.dictionary(fc.constant('town'), text),
  });
  const change = fc.record(
    {
      ...{ firstName: fc.option(text), lastName: fc.option(text), notes: fc.option(text) },
      attributes: fc.record({ town: fc.option(text) }),
    },
    { requiredKeys: [] },
  );
  const steps = fc.array(fc.oneof(change, fc.nat({ max: 5 })), { minLength: 2, maxLength: 10 });
  fc.assert(
    fc.property(start, steps, (original, todo) => {
      const contact = new Contact(original);
      const standing = new Map<number, ContactChange>();
      for (const [id, step] of todo.entries()) {
        if (typeof step === 'number') {
          contact.undo(step);
          standing.delete(step);
        } else {
          contact.set(id, step);
          standing.set(id, step);
        }
        const inForce = (of: (one: ContactChange) => string | null | undefined, first: string | null) => {
          const set = [...standing.values()].map(of).filter((value) => value !== undefined);
          return set.length > 0 ? set.at(-1) : first;
        };
        const first = original.attributes.town ?? null;
        expect(contact.fields.notes).toBe(inForce(({ notes }) => notes, original.notes));
        expect(contact.fields.attributes.town ?? null).toBe(
          inForce(({ attributes }) => attributes?.town, first),
        );
      }
      for (const id of todo.keys()) contact.undo(id);
      expect(contact.fields).toEqual(original);
      expect(contact.lines.size).toBe(0);
    }),
    { numRuns: 1_000 },
  );
});
