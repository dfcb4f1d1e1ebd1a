import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useRef } from 'react';

const longestSubject = 400;

interface SubjectFieldProps {
  description: string;
  placeholder: string;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
  /** Asks for a merge field. Answers its Liquid, or null. */
  pickField: () => Promise<string | null>;
}

/** A subject, into which merge fields can be put where the cursor is. */
export function SubjectField({ value, onChange, pickField, ...words }: SubjectFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const insert = async () => {
    const from = field.current?.selectionStart ?? value.length;
    const to = field.current?.selectionEnd ?? value.length;
    const liquid = await pickField();
    if (liquid !== null) onChange((value.slice(0, from) + liquid + value.slice(to)).slice(0, longestSubject));
    // Once the new subject stands in it.
    requestAnimationFrame(() => {
      const at = from + (liquid?.length ?? 0);
      field.current?.focus();
      field.current?.setSelectionRange(at, at);
    });
  };
  return (
    <TextInput
      ref={field}
      label="Subject (optional)"
      autoComplete="off"
      maxLength={longestSubject}
      {...words}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      rightSection={
        <Tooltip label="Insert a field">
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Insert a field into the subject"
            onClick={() => void insert()}
          >
            <IconBraces size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}
