import { Autocomplete, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ContactSelection, countSelection } from '#features/audience/contract.ts';
import { call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { GroupChange } from './change-and-tell.ts';
import type { GroupCalls } from './group-calls.ts';
import { useGroupsToChoose } from './use-groups-to-choose.ts';

export interface GroupContactsDialogProps {
  calls: GroupCalls;
  /** Null while the dialog is closed. */
  selection: ContactSelection | null;
  onClose: () => void;
  onChange: (change: GroupChange) => Promise<void>;
}

/**
 * Asks which list or tag contacts get or lose. A name that nobody has given yet makes a new one.
 */
export function GroupContactsDialog({ calls, selection, onClose, onChange }: GroupContactsDialogProps) {
  const { noun } = calls;
  const opened = selection !== null;
  const { groups, failure: unread } = useGroupsToChoose(calls, opened);
  const counted = useQuery({
    queryKey: [countSelection.path, selection],
    queryFn: ({ signal }) => call(countSelection, { body: selection ?? { filter: {} }, signal }),
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
  });
  const [name, setName] = useState('');
  const [isAddition, setIsAddition] = useState(true);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!opened) return;
    setName('');
    setIsAddition(true);
    setError(null);
  }, [opened]);
  const asked = name.trim();
  const named = groups?.filter((one) => one.name.toLowerCase() === asked.toLowerCase()) ?? [];
  const group = named[0];
  const isNew = asked !== '' && group === undefined;
  const refuse = (message: string) => {
    setError(message);
    field.current?.focus();
  };
  const submit = async () => {
    if (selection === null) return;
    if (asked === '') return refuse(`Name a ${noun}.`);
    if (named.length > 1) return refuse(`Several lists are called “${asked}”. Rename one of them first.`);
    if (!isAddition && isNew) return refuse(`There is no ${noun} “${asked}”.`);
    setPending(true);
    try {
      await onChange({ isAddition, group: group ?? { newName: asked }, selection });
      onClose();
    } catch (failure) {
      refuse(words(failure, 'Failed to perform bulk action. Please try again.'));
    } finally {
      setPending(false);
    }
  };
  const many = counted.data && !counted.isFetching ? formatCount(counted.data.count, 'contact') : 'contacts';
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={noun === 'list' ? 'Put on a list, or take off' : 'Tag, or take a tag off'}
      submitLabel={submitWords(noun, isAddition, many)}
      pending={pending}
      // Before they are known, a name that exists would be made a second time.
      submitDisabled={groups === undefined}
      onSubmit={() => void submit()}
    >
      <SegmentedControl
        size="xs"
        aria-label="What to do"
        value={isAddition ? 'add' : 'remove'}
        onChange={(value) => {
          setIsAddition(value === 'add');
          setError(null);
        }}
        data={[
          { value: 'add', label: noun === 'list' ? 'Put on a list' : 'Add a tag' },
          { value: 'remove', label: noun === 'list' ? 'Take off a list' : 'Remove a tag' },
        ]}
      />
      <Autocomplete
        ref={field}
        data-autofocus
        label={noun === 'list' ? 'List' : 'Tag'}
        description={isAddition && isNew ? `A new ${noun} is made.` : `One that exists, or a new name.`}
        placeholder={noun === 'list' ? 'Trade customers' : 'Wholesale'}
        // A name that is written out needs no choice, which would cover the button.
        data={[...new Set(groups?.filter((one) => !named.includes(one)).map((one) => one.name))]}
        value={name}
        error={error ?? unread}
        limit={50}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
      />
    </FormDialog>
  );
}

function submitWords(noun: GroupCalls['noun'], isAddition: boolean, many: string): string {
  if (noun === 'list') return isAddition ? `Put ${many} on it` : `Take ${many} off it`;
  return isAddition ? `Tag ${many}` : `Remove the tag from ${many}`;
}
