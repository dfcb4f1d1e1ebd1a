import { Checkbox, TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { longestAlt } from '../rules/limits.ts';

/** What an image says to those who do not see it, as it is being written. */
export interface Alt {
  text: string;
  isDecorative: boolean;
}

export const altOf = ({ alt }: { alt: string | null }): Alt => ({
  text: alt ?? '',
  isDecorative: alt === '',
});

/** Null while nobody has said. */
export const altText = ({ text, isDecorative }: Alt): string | null =>
  isDecorative ? '' : text.trim() || null;

interface AltFieldProps {
  value: Alt;
  onChange: (value: Alt) => void;
  error?: string | null;
  ref?: Ref<HTMLInputElement>;
}

/** The alternative text, or that none is needed. */
export function AltField({ value, onChange, error, ref }: AltFieldProps) {
  return (
    <>
      <TextInput
        ref={ref ?? null}
        label="Alternative text"
        description="What it shows, for those who do not see it."
        maxLength={longestAlt}
        autoComplete="off"
        disabled={value.isDecorative}
        value={value.isDecorative ? '' : value.text}
        error={error}
        onChange={({ currentTarget }) => onChange({ ...value, text: currentTarget.value })}
      />
      <Checkbox
        label="It only decorates: readers without pictures miss nothing"
        checked={value.isDecorative}
        onChange={({ currentTarget }) => onChange({ ...value, isDecorative: currentTarget.checked })}
      />
    </>
  );
}
