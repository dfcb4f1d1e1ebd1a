import { MultiSelect, NumberInput, TagsInput } from '@mantine/core';
import { formatDay } from '#platform/web/format.ts';
import { longestSegmentValue, mostValues } from '../contract/segment-rules.ts';
import { DayField, DaysField } from './day-field.tsx';
import { type Rule, valuesOf } from './draft.ts';
import { entryOf, type Field, type OperatorWords } from './fields.ts';
import classes from './segments.module.css';

interface ValueFieldProps {
  rule: Rule;
  /** Undefined for one that is not offered any more. */
  field: Field | undefined;
  operator: OperatorWords;
  /** What is wrong with it. */
  error: boolean;
  onChange: (patch: Partial<Pick<Rule, 'values' | 'typed'>>) => void;
}

/** Where the value of a rule is entered, in the way that suits its field and operator. */
export function ValueField(props: ValueFieldProps) {
  const { rule, field, operator, error, onChange } = props;
  const values = valuesOf(rule);
  const only = values[0] ?? '';
  const label = 'Value';
  switch (entryOf(field, operator)) {
    case 'nothing':
      return <span />;
    case 'choice':
      return <Choice {...props} options={optionsWith(field?.options ?? [], rule.values)} />;
    case 'monthDays':
      return <Choice {...props} options={optionsWith(daysOfYear, rule.values)} />;
    case 'day':
      return (
        <DayField label={label} value={only} error={error} onChange={(day) => onChange({ values: day })} />
      );
    case 'days':
      return (
        <DaysField
          label={label}
          values={values}
          error={error}
          onChange={(days) => onChange({ values: days })}
        />
      );
    case 'dayCount':
      return (
        <NumberInput
          {...{ 'aria-label': label, error }}
          min={1}
          max={36_500}
          allowDecimal={false}
          suffix={only === '1' ? ' day' : ' days'}
          placeholder="30 days"
          value={only}
          onChange={(days) => onChange({ values: days === '' ? [] : [String(days)] })}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...{ 'aria-label': label, error }}
          placeholder="A number"
          value={only}
          onChange={(number) => onChange({ values: number === '' ? [] : [String(number)] })}
        />
      );
    default:
      return <Texts {...props} />;
  }
}

const look = { input: classes.pills ?? '', pill: classes.pill ?? '', inputField: classes.typing ?? '' };
const combobox = { shadow: 'md', offset: 4, transitionProps: { duration: 80, transition: 'fade' } } as const;

interface ChoiceOption {
  value: string;
  label: string;
}

const Choice = ({ rule, error, options, onChange }: ValueFieldProps & { options: ChoiceOption[] }) => (
  <MultiSelect
    aria-label="Value"
    error={error}
    placeholder={rule.values.length === 0 ? 'Choose' : ''}
    searchable
    nothingFoundMessage="Nothing of this name"
    data={options}
    limit={100}
    maxValues={mostValues}
    comboboxProps={combobox}
    classNames={look}
    value={[...rule.values]}
    onChange={(values) => onChange({ values })}
  />
);

/** Texts, each taken with Enter or when the field is left. Commas are part of a text. */
const Texts = ({ rule, field, error, onChange }: ValueFieldProps) => (
  <TagsInput
    aria-label="Value"
    error={error}
    placeholder={rule.values.length === 0 ? placeholderOf(field) : ''}
    splitChars={['\n', '\r', '\t']}
    maxTags={mostValues}
    maxLength={longestSegmentValue}
    comboboxProps={combobox}
    classNames={look}
    value={[...rule.values]}
    searchValue={rule.typed}
    onSearchChange={(typed) => onChange({ typed })}
    onChange={(values) => onChange({ values: values.filter((value) => value.trim() !== ''), typed: '' })}
  />
);

function placeholderOf(field: Field | undefined): string {
  if (field?.key === 'domain') return 'acme.co.uk';
  return field?.type === 'date' ? '2026-11' : 'Type, then press Enter';
}

/** The options, and of what is chosen those that are not there any more. */
function optionsWith(options: readonly ChoiceOption[], chosen: readonly string[]): ChoiceOption[] {
  const known = new Set(options.map(({ value }) => value));
  const names = new Set(options.map(({ label }) => label.toLowerCase()));
  const others = chosen.filter((value) => !known.has(value));
  return [
    ...unlike(options),
    // Rules that a program wrote may have the name of a list or tag.
    ...others.map((value) => ({
      value,
      label: names.has(value.toLowerCase()) ? value : `${value} (no longer there)`,
    })),
  ];
}

/** The kit cannot tell options of one name apart, so the second gets its number. */
function unlike(options: readonly ChoiceOption[]): ChoiceOption[] {
  const seen = new Set<string>();
  return options.map(({ value, label }) => {
    const isNew = !seen.has(label);
    seen.add(label);
    return { value, label: isNew ? label : `${label} (${value})` };
  });
}

/** All days of a year, as stored: `03-05`. */
const daysOfYear: readonly ChoiceOption[] = [
  { value: 'today', label: 'Today' },
  ...Array.from({ length: 366 }, (_, index) => {
    const day = new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
    return { value: day.slice(5), label: formatDay(day).replace(' 2024', '') };
  }),
];
