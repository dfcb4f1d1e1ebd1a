import { Select } from '@mantine/core';
import type { Block } from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { showOn as showOnSchema, showOnWords } from '../../rules/document/show-on.ts';
import { Contrast } from './contrast.tsx';
import { swatchesOf } from './look-colours.ts';
import { ChoiceField, ColourField, NumberField, Row } from './settings-fields.tsx';
import { ShowWhenSettings } from './show-when-settings.tsx';
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
      <ShowWhenSettings
        showWhen={props.block.showWhen}
        onChange={(showWhen, kind) => props.onChange({ showWhen }, kind)}
        onOtherwise={props.onOtherwise}
      />
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
