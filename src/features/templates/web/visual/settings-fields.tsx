import { ActionIcon, ColorInput, NumberInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { IconAlignCenter, IconAlignLeft, IconAlignRight, IconBraces } from '@tabler/icons-react';
import { type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react';
import { ToolsContext } from './tools-context.ts';
import classes from './visual.module.css';

/** A setting with its name at the left and its control at the right. */
export function Row({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={classes.row}>
      <span id={id}>{label}</span>
      <div>{children(id)}</div>
    </div>
  );
}

interface WordsFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  description?: string;
  placeholder?: string;
  error?: string | undefined;
  isLong?: boolean;
  /** Its label stands elsewhere. */
  isBare?: boolean;
}

/** A field whose words may hold merge fields: the button puts one where the cursor is. */
export function WordsField({ isLong, isBare, label, onChange, value, ...rest }: WordsFieldProps) {
  const { pickField } = useContext(ToolsContext);
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const insert = async () => {
    const [start, end] = [
      input.current?.selectionStart ?? value.length,
      input.current?.selectionEnd ?? value.length,
    ];
    const liquid = await pickField();
    if (liquid) onChange(value.slice(0, start) + liquid + value.slice(end));
    input.current?.focus();
  };
  const shared = {
    ...rest,
    ...(isBare ? { 'aria-label': label } : { label }),
    ref: input,
    value,
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
    rightSection: (
      <ActionIcon
        size={24}
        aria-label={`Insert a merge field: ${label}`}
        title="Insert a merge field"
        onClick={() => void insert()}
      >
        <IconBraces size={14} stroke={1.6} />
      </ActionIcon>
    ),
  };
  return isLong ? <Textarea {...shared} autosize minRows={3} maxRows={16} /> : <TextInput {...shared} />;
}

interface ColourFieldProps {
  label: string;
  /** Absent: as the rest of the email. */
  value: string | undefined;
  placeholder?: string;
  swatches: readonly string[];
  onChange: (value: string | undefined) => void;
}

const isColour = (text: string): boolean => /^#[\da-f]{6}$/i.test(text);

/** What is being typed: it need not be right yet. What comes from elsewhere takes its place. */
function useDraft<Value>(value: Value): [Value, (draft: Value) => void] {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return [draft, setDraft];
}

export function ColourField({ label, value, placeholder, swatches, onChange }: ColourFieldProps) {
  const [draft, setDraft] = useDraft(value ?? '');
  return (
    <Row label={label}>
      {(id) => (
        <ColorInput
          size="sm"
          aria-labelledby={id}
          value={draft}
          placeholder={placeholder ?? ''}
          // The kit would show no colour as white, as if somebody had chosen it.
          leftSection={draft === '' && <span className={classes.noColour} aria-hidden />}
          swatches={[...new Set(swatches)]}
          withEyeDropper={false}
          onChange={(next) => {
            setDraft(next);
            if (next === '') onChange(undefined);
            else if (isColour(next)) onChange(next.toLowerCase());
          }}
          onBlur={() => setDraft(value ?? '')}
        />
      )}
    </Row>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  placeholder?: string;
  min: number;
  max: number;
  /** Undefined: the field is empty, which it may be only where `canBeEmpty`. */
  onChange: (value: number | undefined) => void;
  canBeEmpty?: boolean;
}

export function NumberField(props: NumberFieldProps) {
  const { label, value, min, max, placeholder, onChange, canBeEmpty } = props;
  const [draft, setDraft] = useDraft<string | number>(value ?? '');
  return (
    <Row label={label}>
      {(id) => (
        <NumberInput
          size="sm"
          aria-labelledby={id}
          value={draft}
          placeholder={placeholder ?? ''}
          min={min}
          max={max}
          allowDecimal={false}
          suffix=" px"
          clampBehavior="blur"
          onChange={(next) => {
            setDraft(next);
            if (next === '' && canBeEmpty) onChange(undefined);
            if (typeof next === 'number' && next >= min && next <= max) onChange(next);
          }}
          onBlur={() => draft === '' && !canBeEmpty && setDraft(value ?? '')}
        />
      )}
    </Row>
  );
}

export type Alignment = 'left' | 'center' | 'right';

const alignments = [
  { value: 'left', label: 'Left', icon: IconAlignLeft },
  { value: 'center', label: 'Centre', icon: IconAlignCenter },
  { value: 'right', label: 'Right', icon: IconAlignRight },
] as const;

interface AlignFieldProps {
  value: Alignment;
  onChange: (align: Alignment) => void;
}

export const AlignField = ({ value, onChange }: AlignFieldProps) => (
  <ChoiceField
    label="Align"
    value={value}
    onChange={onChange}
    choices={alignments.map(({ value: align, label, icon: Icon }) => ({
      value: align,
      label: (
        <>
          <Icon size={16} stroke={1.6} className={classes.choiceIcon} />
          <span className={classes.unseen}>{label}</span>
        </>
      ),
    }))}
  />
);

interface ChoiceFieldProps<Value extends string> {
  label: string;
  value: Value;
  choices: { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
}

export const ChoiceField = <Value extends string>({
  label,
  value,
  choices,
  onChange,
}: ChoiceFieldProps<Value>) => (
  <Row label={label}>
    {(id) => (
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby={id}
        data={choices}
        value={value}
        onChange={(next) => onChange(next as Value)}
      />
    )}
  </Row>
);
