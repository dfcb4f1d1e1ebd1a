import { Button, Select, TextInput } from '@mantine/core';
import { IconUserOff, IconUsers, IconX } from '@tabler/icons-react';
import { useContext } from 'react';
import type { Block } from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { showOn as showOnSchema, showOnWords } from '../../rules/document/show-on.ts';
import {
  comparesNumbers,
  numberIn,
  operatorWords,
  type ShowWhen,
  showOperators,
  takesValue,
} from '../../rules/document/show-when.ts';
import { Contrast } from './contrast.tsx';
import { swatchesOf } from './look-colours.ts';
import { ChoiceField, ColourField, NumberField, Row } from './settings-fields.tsx';
import { ToolsContext } from './tools-context.ts';
import classes from './visual.module.css';

interface FrameSettingsProps {
  block: Block;
  look: TemplateDocument['look'];
  /** In a column, a ground cannot be wider than the column. */
  isInColumn: boolean;
  onChange: (change: Pick<Block, 'ground' | 'space' | 'showOn' | 'showWhen'>, kind: string) => void;
  onOtherwise: () => void;
}

/** What every block has: what is around it, and who sees it. */
export function FrameSettings(props: FrameSettingsProps) {
  return (
    <>
      <hr className={classes.line} />
      <GroundSettings {...props} />
      <SpaceSettings {...props} />
      <hr className={classes.line} />
      <ShowOnSettings {...props} />
      <ShowWhenSettings {...props} />
    </>
  );
}

function GroundSettings({ block: { ground }, look, isInColumn, onChange }: FrameSettingsProps) {
  const change = (part: Partial<NonNullable<Block['ground']>>) =>
    ground && onChange({ ground: { ...ground, ...part } }, `ground ${Object.keys(part).join()}`);
  return (
    <>
      <ColourField
        label="Block ground"
        value={ground?.colour}
        placeholder="None"
        swatches={swatchesOf(look)}
        onChange={(colour) =>
          onChange({ ground: colour === undefined ? undefined : { ...ground, colour } }, 'ground')
        }
      />
      {ground && (
        <>
          <ColourField
            label="Words on it"
            value={ground.text}
            placeholder={look.text}
            swatches={swatchesOf(look)}
            onChange={(text) => change({ text })}
          />
          <Contrast words={ground.text ?? look.text} ground={ground.colour} />
          {!isInColumn && (
            <ChoiceField
              label="Reaches"
              value={ground.isWide ? 'window' : 'email'}
              choices={[
                { value: 'email', label: 'Email' },
                { value: 'window', label: 'Window' },
              ]}
              onChange={(reach) => change({ isWide: reach === 'window' || undefined })}
            />
          )}
        </>
      )}
    </>
  );
}

const { options: screens } = showOnSchema;

const spaces = [
  { name: 'above', label: 'Space above', max: 120 },
  { name: 'below', label: 'Space below', max: 120 },
  { name: 'sides', label: 'Space at the sides', max: 80 },
] as const;

const SpaceSettings = ({ block: { space }, onChange }: FrameSettingsProps) =>
  spaces.map(({ name, label, max }) => (
    <NumberField
      key={name}
      label={label}
      value={space?.[name]}
      placeholder="As usual"
      min={0}
      max={max}
      canBeEmpty
      onChange={(pixels) => onChange({ space: { ...space, [name]: pixels } }, `space ${name}`)}
    />
  ));

const ShowOnSettings = ({ block: { showOn }, onChange }: FrameSettingsProps) => (
  <Row label="Show on">
    {(id) => (
      <Select
        aria-labelledby={id}
        allowDeselect={false}
        data={[
          { value: 'all', label: 'All screens' },
          ...screens.map((value) => ({ value, label: showOnWords[value] })),
        ]}
        value={showOn ?? 'all'}
        onChange={(next) => onChange({ showOn: screens.find((one) => one === next) }, 'showOn')}
      />
    )}
  </Row>
);

function ShowWhenSettings({ block: { showWhen }, onChange, onOtherwise }: FrameSettingsProps) {
  const { fields } = useContext(ToolsContext);
  const change = (next: ShowWhen | undefined, kind = '') => onChange({ showWhen: next }, `showWhen ${kind}`);
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
  const { field, operator, value } = showWhen;
  const names = fields.some(({ name }) => name === field)
    ? fields
    : [...fields, { name: field, label: field }];
  const isNoNumber = comparesNumbers(operator) && value !== '' && numberIn(value) === null;
  return (
    <fieldset className={classes.link}>
      <legend className={classes.showWhen}>Show when</legend>
      <Select
        aria-label="Field"
        searchable
        allowDeselect={false}
        data={names
          .filter(({ name }) => !name.includes('.'))
          .map(({ name, label }) => ({ value: name, label }))}
        value={field}
        onChange={(next) => next && change({ ...showWhen, field: next })}
      />
      <Select
        aria-label="Condition"
        allowDeselect={false}
        data={showOperators.map((name) => ({ value: name, label: operatorWords[name] }))}
        value={operator}
        onChange={(next) => next && change({ ...showWhen, operator: next as ShowWhen['operator'] })}
      />
      {takesValue(operator) && (
        <TextInput
          aria-label="Value"
          autoComplete="off"
          maxLength={200}
          placeholder={comparesNumbers(operator) ? 'A number' : 'A value'}
          value={value}
          error={isNoNumber && 'This is no number.'}
          onChange={({ currentTarget }) => change({ ...showWhen, value: currentTarget.value }, 'value')}
        />
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
