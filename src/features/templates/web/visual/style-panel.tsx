import { Button, Select, TextInput } from '@mantine/core';
import { fonts, type TemplateDocument } from '../../rules/document/schema.ts';
import { lookColours } from './look-colours.ts';
import { ColourField, NumberField, Row } from './settings-fields.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';
import type { EditorBrand } from './visual-props.ts';

type Look = TemplateDocument['look'];

interface StylePanelProps {
  editor: Editor;
  brand: EditorBrand | undefined;
}

/** How the whole email looks where its blocks do not say otherwise. */
export function StylePanel({ editor: { document, setDocument }, brand }: StylePanelProps) {
  const { look } = document;
  const set = (change: Partial<Look>) =>
    setDocument({ ...document, look: { ...look, ...change } }, `look ${Object.keys(change).join()}`);
  const swatches = [...new Set(Object.values({ ...look, ...brand?.look }).map(String))].filter((value) =>
    value.startsWith('#'),
  );
  return (
    <div className={classes.settings}>
      {brand && (
        <Button variant="default" fullWidth onClick={() => set(brand.look)}>
          Take the brand's look
        </Button>
      )}
      {lookColours.map(({ name, label }) => (
        <ColourField
          key={name}
          label={label}
          value={look[name]}
          swatches={swatches}
          onChange={(colour) => colour && set({ [name]: colour })}
        />
      ))}
      <hr className={classes.line} />
      <Row label="Font">
        {(id) => (
          <Select
            aria-labelledby={id}
            data={[...fonts]}
            value={look.font}
            onChange={(font) => set({ font: fonts.find((one) => one === font) ?? look.font })}
          />
        )}
      </Row>
      <Row label="Headings">
        {(id) => (
          <Select
            aria-labelledby={id}
            clearable
            placeholder="As the text"
            data={[...fonts]}
            value={look.headingFont ?? null}
            onChange={(font) => set({ headingFont: fonts.find((one) => one === font) })}
          />
        )}
      </Row>
      <NumberField
        label="Width"
        value={look.width}
        min={480}
        max={700}
        onChange={(width) => width !== undefined && set({ width })}
      />
      <NumberField
        label="Corners"
        value={look.corner}
        min={0}
        max={24}
        onChange={(corner) => corner !== undefined && set({ corner })}
      />
      <hr className={classes.line} />
      <TextInput
        label="Title"
        description="Read out by screen readers, and shown by browsers."
        value={document.title}
        onChange={({ currentTarget: { value: title } }) => setDocument({ ...document, title }, 'title')}
      />
    </div>
  );
}
