import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { Card } from '#platform/web/components/card.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise } from '#platform/web/format.ts';
import type { TemplatePreset } from '../contract.ts';
import { categoryLabels } from '../rules/categories.ts';
import { type PresetKind, presetKinds } from '../rules/preset-kinds.ts';
import { needsEditor } from './template-actions.ts';
import classes from './templates.module.css';
import type { ChangeTemplates } from './templates-search.ts';
import { sampleSource, Thumbnail } from './thumbnail.tsx';
import { usePresets } from './use-presets.ts';

const kinds = presetKinds.map((value) => ({
  value,
  label: value === 'everybody' ? 'For everybody' : capitalise(value),
}));

interface Props {
  kind: PresetKind;
  change: ChangeTemplates;
}

/** Complete emails to begin with, those for one kind of business at a time. */
export function PresetTemplates({ kind, change }: Props) {
  const { data, error } = usePresets();
  const shown = data?.filter((one) => one.kind === kind);
  return (
    <Card title="Preset Templates">
      <PresetKinds kind={kind} change={change} />
      {error ? (
        <ErrorState title="The presets could not be loaded" error={error} />
      ) : (
        <div className={classes.grid}>
          {shown?.map((one) => <PresetTile key={one.id} preset={one} change={change} />) ?? <Blocks />}
        </div>
      )}
    </Card>
  );
}

/** For which kind of business presets are shown. */
export const PresetKinds = ({ kind, change }: Props) => (
  <SegmentedControl
    className={classes.kinds}
    size="xs"
    aria-label="Presets for"
    data={kinds}
    value={kind}
    onChange={(presets) => change({ presets }, { replace: true })}
  />
);

/** Three blocks that stand for what comes. */
export const Blocks = () => (
  <>
    {[1, 2, 3].map((n) => (
      <Skeleton key={n} className={classes.block} />
    ))}
  </>
);

function PresetTile({ preset, change }: { preset: TemplatePreset; change: ChangeTemplates }) {
  const { id, name, description, category, htmlContent } = preset;
  const preview = () => change({ preset: id });
  return (
    <article className={classes.tile} aria-label={name}>
      <Thumbnail name={name} source={sampleSource(htmlContent)} onOpen={preview} />
      <div className={classes.words}>
        <h3 className={classes.name}>{name}</h3>
        <p className={classes.description} data-two-lines>
          {description}
        </p>
        <div className={classes.facts}>
          <WordBadge>{categoryLabels[category]}</WordBadge>
        </div>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" size="xs" onClick={preview} aria-label={`Preview ${name}`}>
          Preview
        </Button>
        <MayEditButton
          variant="default"
          size="xs"
          why={needsEditor}
          onClick={() => change({ dialog: 'new', use: id })}
        >
          Use Template
        </MayEditButton>
      </div>
    </article>
  );
}
