import { Button, Select, TextInput } from '@mantine/core';
import { IconUserOff, IconUsers, IconX } from '@tabler/icons-react';
import { useContext } from 'react';
import {
  asksForTag,
  comparesNumbers,
  type FieldCondition,
  numberIn,
  operatorWords,
  type ShowWhen,
  showOperators,
  type TagCondition,
  tagOperators,
  takesValue,
} from '../../rules/document/show-when.ts';
import { tagsField } from '../../rules/tag-fields.ts';
import { ToolsContext } from './tools-context.ts';
import classes from './visual.module.css';

interface ShowWhenSettingsProps {
  showWhen: ShowWhen | undefined;
  onChange: (next: ShowWhen | undefined, kind: string) => void;
  onOtherwise: () => void;
}

/** Who sees a block. */
export function ShowWhenSettings({ showWhen, onChange, onOtherwise }: ShowWhenSettingsProps) {
  const { fields } = useContext(ToolsContext);
  const change = (next: ShowWhen | undefined, kind = '') => onChange(next, `showWhen ${kind}`);
  if (!showWhen)
    return (
      <Button
        variant="default"
        fullWidth
        leftSection={<IconUsers size={16} stroke={1.6} />}
        onClick={() =>
          change({ field: fields[0]?.name ?? 'first_name', operator: 'is_not_empty', value: '' })
        }
      >
        Show only to some contacts
      </Button>
    );
  return (
    <fieldset className={classes.link}>
      <legend className={classes.showWhen}>Show when</legend>
      <AskedField showWhen={showWhen} onChange={change} />
      {asksForTag(showWhen) ? (
        <TagSettings condition={showWhen} onChange={change} />
      ) : (
        <FieldSettings condition={showWhen} onChange={change} />
      )}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconUserOff size={16} stroke={1.6} />}
        onClick={onOtherwise}
      >
        Add a block for all others
      </Button>
      <Button
        variant="subtle"
        color="gray"
        fullWidth
        leftSection={<IconX size={16} stroke={1.6} />}
        onClick={() => change(undefined)}
      >
        Show to everybody
      </Button>
    </fieldset>
  );
}

/** What a condition is about: a field of the contact, or its tags, where there are any. */
function AskedField({
  showWhen,
  onChange,
}: {
  showWhen: ShowWhen;
  onChange: (next: ShowWhen, kind?: string) => void;
}) {
  const { fields, tags } = useContext(ToolsContext);
  const asked = asksForTag(showWhen) ? tagsField : showWhen.field;
  const named = fields.filter(({ name }) => !name.includes('.') && !name.includes('['));
  const isNamed = asked === tagsField || named.some(({ name }) => name === asked);
  const [firstTag] = tags ?? [];
  const hasTags = firstTag !== undefined || asked === tagsField;
  const choose = (next: string) => {
    if (next === asked) return;
    if (next !== tagsField)
      return onChange(
        asksForTag(showWhen)
          ? { field: next, operator: 'is_not_empty', value: '' }
          : { ...showWhen, field: next },
      );
    if (firstTag) onChange({ tag: firstTag.id, operator: 'has_tag' });
  };
  return (
    <Select
      aria-label="Field"
      searchable
      allowDeselect={false}
      data={[
        ...(hasTags ? [{ value: tagsField, label: 'Tags' }] : []),
        ...named.map(({ name, label }) => ({ value: name, label })),
        ...(isNamed ? [] : [{ value: asked, label: asked }]),
      ]}
      value={asked}
      onChange={(next) => next && choose(next)}
    />
  );
}

interface TagSettingsProps {
  condition: TagCondition;
  onChange: (next: ShowWhen, kind?: string) => void;
}

function TagSettings({ condition, onChange }: TagSettingsProps) {
  const { tags } = useContext(ToolsContext);
  const isThere = tags?.some(({ id }) => id === condition.tag);
  const gone = { value: String(condition.tag), label: tags ? '(deleted tag)' : '…' };
  return (
    <>
      <Select
        aria-label="Condition"
        allowDeselect={false}
        data={tagOperators.map((name) => ({ value: name, label: operatorWords[name] }))}
        value={condition.operator}
        onChange={(next) => next && onChange({ ...condition, operator: next as TagCondition['operator'] })}
      />
      <Select
        aria-label="Tag"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No tag has this name"
        data={[
          ...(isThere ? [] : [gone]),
          ...(tags ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={String(condition.tag)}
        error={tags && !isThere && 'This tag was deleted, so nobody sees the block.'}
        onChange={(next) => next && onChange({ ...condition, tag: Number(next) })}
      />
    </>
  );
}

interface FieldSettingsProps {
  condition: FieldCondition;
  onChange: (next: ShowWhen, kind?: string) => void;
}

function FieldSettings({ condition, onChange }: FieldSettingsProps) {
  const { operator, value } = condition;
  const isNoNumber = comparesNumbers(operator) && value !== '' && numberIn(value) === null;
  return (
    <>
      <Select
        aria-label="Condition"
        allowDeselect={false}
        data={showOperators.map((name) => ({ value: name, label: operatorWords[name] }))}
        value={operator}
        onChange={(next) => next && onChange({ ...condition, operator: next as FieldCondition['operator'] })}
      />
      {takesValue(operator) && (
        <TextInput
          aria-label="Value"
          autoComplete="off"
          maxLength={200}
          placeholder={comparesNumbers(operator) ? 'A number' : 'A value'}
          value={value}
          error={isNoNumber && 'This is no number.'}
          onChange={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value }, 'value')}
        />
      )}
    </>
  );
}
