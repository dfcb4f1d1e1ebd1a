import { type MergeableFields, mergedFields } from '../rules.ts';

/** Fields as far as they are known. Those of an erased person are not. */
export type KnownFields = Partial<MergeableFields>;

/** The kept contact's fields before and after a merge. */
interface Written<After = KnownFields> {
  before: KnownFields;
  after: After;
}

/** What goes back together: first and last name of two people would be nobody's. */
const groups = [['name', 'firstName', 'lastName'], ['source'], ['date'], ['notes']] as const;
type Own = (typeof groups)[number][number];

/** One field: a contact's own, or an extra one. */
interface Part {
  get(fields: KnownFields): string | null | undefined;
  set(fields: KnownFields, value: string | null): void;
}

const own = (field: Own): Part => ({
  get: (fields) => fields[field],
  set(fields, value) {
    fields[field] = value;
  },
});

const extra = (name: string): Part => ({
  get: ({ attributes }) => {
    if (attributes === undefined) return undefined;
    return attributes !== null && Object.hasOwn(attributes, name) ? attributes[name] : null;
  },
  set(fields, value) {
    const others = Object.entries(fields.attributes ?? {}).filter(([other]) => other !== name);
    fields.attributes = Object.fromEntries(value === null ? others : [...others, [name, value]]);
  },
});

/** The parts of which both are known: what a merge before and after. */
function partsOf({ before, after }: Written): Part[][] {
  const names = new Set([before, after].flatMap(({ attributes }) => Object.keys(attributes ?? {})));
  return [...groups.map((fields) => fields.map(own)), ...[...names].map((name) => [extra(name)])].map(
    (group) => group.filter(({ get }) => get(before) !== undefined && get(after) !== undefined),
  );
}

const isSame = (group: readonly Part[], one: KnownFields, other: KnownFields): boolean =>
  group.every(({ get }) => get(one) === get(other));

/** A merge that came later into the same contact, with what is known of those it removed. */
interface Later extends Written<KnownFields | null> {
  others: readonly (MergeableFields & { id: number })[];
}

/**
 * Takes a merge out of what came after it: the later merges into the same contact, in their order,
 * and the contact as it is now. Each part goes back as far as it stands there as the merge wrote
 * it, and from a later merge on it is what that one would have brought without this one. What
 * somebody wrote since stays. So the undo of a later merge does not put back either what this one
 * had brought.
 */
export function withoutMerge<Each extends Later>(
  merge: Written,
  later: readonly Each[],
  now: MergeableFields,
): { later: Each[]; now: MergeableFields } {
  const changed = {
    later: later.map((one) => ({
      ...one,
      before: structuredClone(one.before),
      after: structuredClone(one.after),
    })),
    now: structuredClone(now),
  };
  for (const group of partsOf(merge)) {
    if (!isSame(group, merge.before, merge.after)) takePartOut(group, merge, changed);
  }
  return changed;
}

const nothing: MergeableFields = {
  ...{ name: null, firstName: null, lastName: null },
  ...{ source: null, date: null, notes: null, attributes: null },
};

function takePartOut(
  group: readonly Part[],
  merge: Written,
  { later, now }: { later: readonly Later[]; now: MergeableFields },
): void {
  let back: KnownFields = merge.before;
  const putBack = (state: KnownFields): boolean => {
    if (!isSame(group, state, merge.after)) return false;
    for (const { get, set } of group) set(state, get(back) ?? null);
    return true;
  };
  for (const { before, after, others } of later) {
    if (!putBack(before)) return;
    back = mergedFields({ ...nothing, ...before, id: 0 }, others, {});
    if (after && !putBack(after)) return;
  }
  putBack(now);
}

/**
 * What a merge of an earlier version wrote, as far as one can be sure: what one of the merged
 * contacts has, and stood in the kept one later.
 */
export function surelyWritten(
  before: KnownFields,
  stood: KnownFields,
  others: readonly MergeableFields[],
): KnownFields {
  const isTheirs = ({ get }: Part) => others.some((other) => get(other) === get(stood));
  const theirs = groups
    .filter((fields) => fields.some((field) => stood[field]) && fields.every((field) => isTheirs(own(field))))
    .flatMap((fields) => fields.map((field) => [field, stood[field]]));
  const names = Object.keys(stood.attributes ?? {}).filter((name) => isTheirs(extra(name)));
  const added = names.map((name) => [name, stood.attributes?.[name]]);
  return {
    ...Object.fromEntries(theirs),
    // A merge took none of the extra fields away.
    ...(before.attributes === undefined
      ? {}
      : { attributes: { ...Object.fromEntries(added), ...before.attributes } }),
  };
}
