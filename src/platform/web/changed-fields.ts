/**
 * The fields whose values are others than before, so that a change says nothing of the rest:
 * somebody else may have changed that since.
 */
export const changedFields = <T extends object>(before: T, now: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof T]),
    ),
  ) as Partial<T>;

/** Whether any of them is another than before. */
export const hasChanges = <T extends object>(before: T, now: T): boolean =>
  Object.keys(changedFields(before, now)).length > 0;
