import { Skeleton } from '@mantine/core';
import { deferred } from '#platform/web/components/deferred.tsx';
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
  return deferred(
    async () => {
      const [calls, { GroupPicker }] = await Promise.all([load(), import('./group-picker.tsx')]);
      return (props: GroupPickerProps) => <GroupPicker calls={calls} {...props} />;
    },
    // What is below it must not jump.
    () => <Skeleton height={fieldHeight} />,
  );
}

/** Puts contacts on a list by pasting their addresses, or takes them off. */
export const pasteDialogOf = (calls: GroupCalls) =>
  deferred(async () => {
    const { PasteContactsDialog } = await import('./paste-contacts-dialog.tsx');
    return (props: PasteContactsProps) => <PasteContactsDialog calls={calls} {...props} />;
  });
