import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { GroupCalls } from './group-calls.ts';
import type { GroupPickerProps } from './group-picker.tsx';
import type { PasteContactsProps } from './paste-contacts-dialog.tsx';

/** Pixels, of a field with its label. */
const fieldHeight = 56;

/**
 * The field of a form in which a list or some tags are chosen, or made. The calls are fetched with
 * it, so that their schemas are no part of the first page load.
 */
export function pickerOf(load: () => Promise<GroupCalls>) {
  const Picker = lazy(async () => {
    const [calls, { GroupPicker }] = await Promise.all([load(), import('./group-picker.tsx')]);
    return { default: (props: GroupPickerProps) => <GroupPicker calls={calls} {...props} /> };
  });
  // What is below it must not jump.
  return (props: GroupPickerProps) => (
    <Suspense fallback={<Skeleton height={fieldHeight} />}>
      <Picker {...props} />
    </Suspense>
  );
}

const LazyPaste = lazy(async () => ({
  default: (await import('./paste-contacts-dialog.tsx')).PasteContactsDialog,
}));

/** Puts contacts on a list by pasting their addresses, or takes them off. */
export const pasteDialogOf = (calls: GroupCalls) => (props: PasteContactsProps) => (
  <Suspense fallback={null}>
    <LazyPaste calls={calls} {...props} />
  </Suspense>
);
