import { Button, Drawer, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlignLeft } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useImagePicker } from '#features/images/web/index.ts';
import { deferred } from '#platform/web/components/deferred.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import type { Finding, TemplatePreview } from '../../contract.ts';
import { blockNames } from '../../rules/document/block-names.ts';
import { findBlock } from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { Findings } from '../findings.tsx';
import { useFilled } from '../use-filled.ts';
import type { FaultyPlace } from '../visual/visual-props.ts';
import { selectLine } from './code/select-line.ts';
import type { Draft } from './content.ts';
import classes from './editor.module.css';
import { useMergeFields, usePickField } from './pick-field.tsx';
import { isOwnText, TextPart } from './text-part.tsx';
import { useBrand } from './use-brand.ts';
import { useKeptBlocks } from './use-kept-blocks.ts';

const noFields: never[] = [];

const VisualEditor = deferred(
  async () => (await import('../visual/visual-editor.tsx')).default,
  () => <Skeleton height={480} />,
);

interface VisualPaneProps {
  document: TemplateDocument;
  textContent: string;
  onChange: (patch: Partial<Draft>) => void;
}

/** What an email shows at most. Images have twice as many pixels, for screens of high density. */
const widthOfEmail = 600;

/** The visual editor with what it needs from the rest of the product. */
export function VisualPane({ document, textContent, onChange }: VisualPaneProps) {
  const judged = useJudged(document, textContent);
  const faults = useMemo(() => faultyPlaces(judged.data), [judged.data]);
  const [asked, setAsked] = useState<{ block: string } | null>(null);
  const [text, setText] = useState<{ line: number | null } | null>(null);
  const images = useImagePicker();
  const { pickField, picker } = usePickField();
  const { items: fields = noFields, tags } = useMergeFields().data ?? {};
  const brand = useBrand();
  const kept = useKeptBlocks();
  const pickImage = async () => {
    const picked = await images.pickImage();
    return (
      picked && {
        src: picked.url,
        alt: picked.alt,
        width: Math.min(Math.round(picked.width / 2), widthOfEmail),
      }
    );
  };
  return (
    <>
      <section className={classes.visual} aria-label="Message">
        <VisualEditor
          document={document}
          onChange={(changed) => onChange({ content: { mode: 'visual', document: changed } })}
          fields={fields}
          tags={tags}
          faults={faults}
          asked={asked}
          brand={brand}
          savedBlocks={kept.blocks}
          readSavedBlock={kept.read}
          onSaveBlock={kept.keep}
          onDeleteSavedBlock={kept.forget}
          pickField={pickField}
          pickImage={pickImage}
          barEnd={
            <Button
              size="xs"
              variant="default"
              leftSection={<IconAlignLeft size={16} stroke={1.6} />}
              onClick={() => setText({ line: null })}
            >
              {isOwnText(textContent) ? 'Text: your own' : 'Text'}
            </Button>
          }
        />
        {images.picker}
        {picker}
      </section>
      {judged.error ? (
        <ErrorLine title="The email could not be checked." error={judged.error} />
      ) : (
        <Findings
          preview={judged.data}
          nameOf={(block) => blockName(document, block)}
          onGo={({ line, block }) => (block === null ? setText({ line }) : setAsked({ block }))}
        />
      )}
      <TextDrawer
        at={text}
        textContent={textContent}
        preview={judged.data}
        onChange={onChange}
        onClose={() => setText(null)}
      />
    </>
  );
}

/** What the editor marks at its blocks. Another object only for another answer. */
const faultyPlaces = (preview: TemplatePreview | undefined): FaultyPlace[] =>
  (['problems', 'warnings'] as const).flatMap((key) =>
    (preview?.[key] ?? []).map(({ words, block, liquid }) => ({
      ...{ words, block, liquid },
      isProblem: key === 'problems',
    })),
  );

/** “Button” for the id of one. A block that is deleted meanwhile has no name. */
function blockName(document: TemplateDocument, id: string): string {
  const found = findBlock(document, id);
  return found ? blockNames[found.block.type] : 'Block';
}

/** What a careful sender would look at again, a moment after the last change. */
function useJudged(document: TemplateDocument, textContent: string) {
  const [settled] = useDebouncedValue(document, 1000);
  const [settledText] = useDebouncedValue(textContent, 300);
  return useFilled({ document: settled, textContent: settledText });
}

interface TextDrawerProps extends Pick<VisualPaneProps, 'textContent' | 'onChange'> {
  /** Open, perhaps at a line. */
  at: { line: number | null } | null;
  preview: TemplatePreview | undefined;
  onClose: () => void;
}

/** The text part beside the blocks, with what is wrong with it. */
function TextDrawer({ at, preview, onClose, ...text }: TextDrawerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const goTo = ({ line }: Pick<Finding, 'line'>) => line !== null && selectLine(field.current, line);
  const ofText = ({ part }: Finding) => part === 'text';
  return (
    <Drawer
      opened={at !== null}
      onClose={onClose}
      onEnterTransitionEnd={() => at && goTo(at)}
      position="right"
      size={520}
      title="Text part"
    >
      <div className={classes.textPart}>
        <TextPart {...text} preview={preview} field={field} rows={20} />
        <Findings
          preview={
            preview && {
              ...preview,
              problems: preview.problems.filter(ofText),
              warnings: preview.warnings.filter(ofText),
            }
          }
          onGo={goTo}
        />
      </div>
    </Drawer>
  );
}
