import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { words } from '#platform/web/api.ts';
import type { GroupCalls } from './group-calls.ts';
import { useGroupsToChoose } from './use-groups-to-choose.ts';

export interface GroupPickerProps {
  /** The ids of the chosen ones: of a list at most one. */
  chosen: readonly number[];
  disabled?: boolean;
  /** Why the last choice was refused. */
  error?: string | null;
  onChange: (ids: number[]) => void;
  /**
   * Told when a new one is being made, which is chosen afterwards. Resolves to false if that was
   * refused.
   */
  onMaking?: (made: Promise<boolean>) => void;
}

/** At most so many are shown at once. The others appear as their name is written. */
const mostShown = 50;
const mostTags = 50;

/**
 * Chooses a list, or some tags. A name that nobody has given yet is offered as a new one, which is
 * made once it is chosen.
 */
export function GroupPicker({ calls, ...props }: GroupPickerProps & { calls: GroupCalls }) {
  const { noun } = calls;
  const { chosen, disabled = false, onChange, onMaking } = props;
  const choice = useChoice(calls);
  const take = (values: readonly string[]) => {
    const known = values.filter((value) => value !== newOne).map(Number);
    if (known.length === values.length) return onChange(known);
    const made = choice.make().then((id) => {
      onChange(id === null ? known : [...known, id]);
      return id !== null;
    });
    onMaking?.(made);
  };
  // Whoever writes a name and goes on means it, though they took no option.
  const lastPressed = useLastPressed();
  const takeWritten = ({ relatedTarget }: FocusEvent) => {
    const before = chosen.map(String);
    // Where a pressed button takes no focus, as in Safari, nothing else says where they went.
    const next = relatedTarget ?? lastPressed.current;
    // They leave the page, or give up what the choice is for.
    if (next?.closest('a, [data-gives-up]')) return;
    // They have gone to another window, perhaps to look the name up.
    if (!document.hasFocus()) return;
    // A field that is disabled while one is being made loses the focus too.
    if (choice.making || choice.written === null || before.includes(choice.written)) return;
    take(noun === 'list' ? [choice.written] : [...before, choice.written]);
  };
  const shared = {
    data: choice.data,
    onBlur: takeWritten,
    filter: choice.filter,
    searchable: true,
    clearable: true,
    selectFirstOptionOnChange: true,
    clearButtonProps: { 'aria-label': noun === 'list' ? 'Choose no list' : 'Choose no tags' },
    disabled: disabled || choice.making || !choice.isKnown,
    error: props.error ?? choice.failure,
    searchValue: choice.search,
    // The field is emptied as it loses the focus. Whoever comes back to this window writes on.
    onSearchChange: (text: string) => document.hasFocus() && choice.onSearch(text),
    nothingFoundMessage: `No ${noun} has this name`,
  } as const;
  return noun === 'list' ? (
    <Select
      {...shared}
      label="List"
      placeholder="Choose one, or write a new name"
      value={chosen[0] === undefined ? null : String(chosen[0])}
      onChange={(value) => take(value === null ? [] : [value])}
    />
  ) : (
    <MultiSelect
      {...shared}
      label="Tags"
      placeholder={chosen.length === 0 ? 'Choose some, or write a new name' : ''}
      hidePickedOptions
      maxValues={mostTags}
      value={chosen.map(String)}
      onChange={take}
    />
  );
}

/** What was pressed last, until a key is. */
function useLastPressed() {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ type, target }: Event) => {
      last.current = type === 'pointerdown' && target instanceof Element ? target : null;
    };
    const kinds = ['pointerdown', 'keydown'];
    for (const kind of kinds) addEventListener(kind, note, true);
    return () => {
      for (const kind of kinds) removeEventListener(kind, note, true);
    };
  }, []);
  return last;
}

const newOne = 'new';

function useChoice(calls: GroupCalls) {
  const queryClient = useQueryClient();
  const { groups, failure } = useGroupsToChoose(calls);
  const [search, setSearch] = useState('');
  const [making, setMaking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const asked = search.trim();
  const known = (groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const asWritten = known.find(({ label }) => label.toLowerCase() === asked.toLowerCase())?.value ?? newOne;
  const made = { value: newOne, label: `Make the ${calls.noun} “${asked}”` };
  const make = async (): Promise<number | null> => {
    setMaking(true);
    try {
      const { id } = await calls.create(asked);
      await queryClient.invalidateQueries({ queryKey: [calls.all.path] });
      setSearch('');
      return id;
    } catch (error) {
      setRefusal(words(error, `Failed to create ${calls.noun}`));
      return null;
    } finally {
      setMaking(false);
    }
  };
  return {
    isKnown: groups !== undefined,
    data: asked !== '' && groups && asWritten === newOne ? [...known, made] : known,
    /** The one that has the written name, or that is to be made. Null: nothing is written. */
    written: asked === '' || !groups ? null : asWritten,
    filter,
    search,
    onSearch: (text: string) => {
      setSearch(text);
      setRefusal(null);
    },
    making,
    failure: refusal ?? failure,
    make,
  };
}

/** The first that have the text in their name, and the offer to make one. */
const filter: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  const all = options.filter((option) => 'value' in option);
  const found = all.filter(({ value, label }) => value !== newOne && label.toLowerCase().includes(text));
  return [...found.slice(0, mostShown), ...all.filter(({ value }) => value === newOne)];
};
