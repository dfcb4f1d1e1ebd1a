import type { ContactChange } from '#features/contacts/rules/contact-change.ts';
import type { Kept } from '../rules.ts';

/** What is kept of a contact, with its `changed_at` before and after. */
export interface KeptLine extends Kept {
  changedBefore: string | null;
  changedAt: string;
}

/** What a later change keeps now, and whether it changes a contact more by that, or one less. */
interface Handed<Line> {
  line: Line;
  more: number;
}

/**
 * Takes a change of a contact out of the later ones, which are given in their order. A field that
 * the next one found as this change had set it gets the value from before this change there, so
 * that the undo of that one does not bring this one's value back. What a later change has set as
 * well is that one's. `own` is what is left to put back in the contact itself.
 */
export function takenOut<Line extends KeptLine>(
  kept: KeptLine,
  later: readonly Line[],
): { own: Kept; isAll: boolean; handed: Handed<Line>[] } {
  const before = partsOf(kept.before);
  const after = partsOf(kept.after);
  const lines = later.map((line) => ({
    line,
    before: partsOf(line.before),
    after: partsOf(line.after),
  }));
  const next = [...after].map(([part, value]) => {
    const found = lines.find((one) => one.after.has(part));
    return found && isSame(found.before.get(part), value) ? found : undefined;
  });
  for (const [n, part] of [...after.keys()].entries())
    next[n]?.before.set(part, before.get(part) as ContactChange);
  const isOthers = (value: ContactChange, part: string) =>
    lines.some((one) => isSame(one.after.get(part), value));
  const own = [...after].flatMap(([part, value], n) => (next[n] || isOthers(value, part) ? [] : [part]));
  return {
    own: {
      before: joined(own.map((part) => before.get(part))),
      after: joined(own.map((part) => after.get(part))),
    },
    isAll: own.length === after.size,
    handed: lines
      .filter((one) => next.includes(one))
      .map((one) => {
        const { line } = one;
        // With nothing in between, the contact was last changed when it was before this change.
        const isAlone = next.every((other) => other === one) && line.changedBefore === kept.changedAt;
        const changedBefore = isAlone ? kept.changedBefore : line.changedBefore;
        const now = { ...line, before: joined([...one.before.values()]), changedBefore };
        return { line: now, more: Number(!isNothing(now)) - Number(!isNothing(line)) };
      }),
  };
}

/** What of this a contact's earlier changes have set, and could take away when they are undone. */
export function setBy(had: ContactChange, earlier: readonly Kept[]): ContactChange {
  const lines = earlier.map(({ after }) => partsOf(after));
  const parts = [...partsOf(had)].filter(([part, value]) =>
    lines.some((line) => isSame(line.get(part), value)),
  );
  return joined(parts.map(([, value]) => value));
}

/** Whether an undo would change nothing. */
const isNothing = ({ before, after }: Kept): boolean => {
  const old = partsOf(before);
  return [...partsOf(after)].every(([part, value]) => isSame(old.get(part), value));
};

/** Several changes of different fields as one. */
export function joined(changes: readonly (ContactChange | undefined)[]): ContactChange {
  const attributes = Object.fromEntries(changes.flatMap((one) => Object.entries(one?.attributes ?? {})));
  const own = Object.assign({}, ...changes);
  return { ...own, ...(Object.keys(attributes).length > 0 ? { attributes } : {}) };
}

/** A change by what goes together: the three names, the notes, each extra field. */
function partsOf({ notes, attributes = {}, ...names }: ContactChange): Map<string, ContactChange> {
  return new Map<string, ContactChange>([
    ...(Object.keys(names).length > 0 ? [['names', names] as const] : []),
    ...(notes === undefined ? [] : [['notes', { notes }] as const]),
    ...Object.entries(attributes).map(
      ([name, value]) => [`attributes.${name}`, { attributes: { [name]: value } }] as const,
    ),
  ]);
}

/** The database returns the keys in an order of its own. */
const isSame = (one: ContactChange | undefined, other: ContactChange | undefined): boolean =>
  JSON.stringify(Object.entries(one ?? {}).sort()) === JSON.stringify(Object.entries(other ?? {}).sort());
