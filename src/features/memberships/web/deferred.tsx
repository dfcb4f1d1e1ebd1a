import { lazy, Suspense } from 'react';
import type { GroupCalls } from './group-calls.ts';
import type { GroupPickerProps } from './group-picker.tsx';
import type { PasteContactsProps } from './paste-contacts-dialog.tsx';

const LazyPicker = lazy(async () => ({ default: (await import('./group-picker.tsx')).GroupPicker }));

/** The field of a form in which a list or some tags are chosen, or made. */
export const pickerOf = (calls: GroupCalls) => (props: GroupPickerProps) => (
  <Suspense fallback={null}>
    <LazyPicker calls={calls} {...props} />
  </Suspense>
);

const LazyPaste = lazy(async () => ({
  default: (await import('./paste-contacts-dialog.tsx')).PasteContactsDialog,
}));

/** Puts contacts on a list by pasting their addresses, or takes them off. */
export const pasteDialogOf = (calls: GroupCalls) => (props: PasteContactsProps) => (
  <Suspense fallback={null}>
    <LazyPaste calls={calls} {...props} />
  </Suspense>
);
