import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './search-field.module.css';
import { useRowsBelow } from './use-rows-below.ts';

interface SearchFieldProps {
  /** The current search, usually from the address. */
  value: string;
  /** Called after a pause of 250 ms in typing, and at once on Enter and on clearing. */
  onSearch: (value: string) => void;
  /** "Search addresses". It is also the field's name for screen readers. */
  placeholder: string;
  /** `/` moves the cursor here. Only one field per screen. */
  slash?: boolean;
  /** Pixels. On a phone, the field takes the whole row. */
  width?: number;
  size?: 'xs' | 'sm';
}

/**
 * A search that waits until typing pauses. Escape clears it. The down arrow goes to the first row
 * of the list below, and Escape comes back from there.
 */
export function SearchField(props: SearchFieldProps) {
  const { value, onSearch, placeholder, slash = false, width = 218, size = 'sm' } = props;
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const later = useDebouncedCallback(onSearch, 250);
  // The address changed underneath: back, forward, or a filter cleared elsewhere.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value);
  }, [value]);
  useHotkeys(slash ? [['/', () => field.current?.focus()]] : []);
  const toRows = useRowsBelow(field);
  const now = (text: string) => {
    later.cancel();
    setTyped(text);
    onSearch(text);
  };
  return (
    <TextInput
      ref={field}
      type="search"
      role="searchbox"
      size={size}
      w={width}
      className={classes.field}
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      maxLength={320}
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSectionPointerEvents="all"
      rightSection={
        typed !== '' ? (
          <CloseButton size={24} aria-label="Clear the search" onClick={() => now('')} />
        ) : slash ? (
          <Kbd size="xs" className={classes.key} aria-hidden>
            /
          </Kbd>
        ) : null
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          const isSettled = typed === value;
          if (!isSettled) now(typed);
          toRows(isSettled);
        }
        if (event.key === 'Enter') now(typed);
        if (event.key === 'Escape' && typed !== '') {
          event.stopPropagation();
          now('');
        }
      }}
    />
  );
}
