import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { useImagePicker } from '#features/images/web/index.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { Findings } from '../findings.tsx';
import { useFilled } from '../use-filled.ts';
import type { Draft } from './content.ts';
import classes from './editor.module.css';
import { useMergeFields, usePickField } from './pick-field.tsx';
import { useBrand } from './use-brand.ts';
import { useKeptBlocks } from './use-kept-blocks.ts';

const noFields: never[] = [];

const VisualEditor = lazy(() => import('../visual/visual-editor.tsx'));

interface VisualPaneProps {
  document: TemplateDocument;
  onChange: (patch: Partial<Draft>) => void;
}

/** What an email shows at most. Images have twice as many pixels, for screens of high density. */
const widthOfEmail = 600;

/** The visual editor with what it needs from the rest of the product. */
export function VisualPane({ document, onChange }: VisualPaneProps) {
  const images = useImagePicker();
  const { pickField, picker } = usePickField();
  const fields = useMergeFields().data?.items ?? noFields;
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
        <Suspense fallback={<Skeleton height={480} />}>
          <VisualEditor
            document={document}
            onChange={(changed) => onChange({ content: { mode: 'visual', document: changed } })}
            fields={fields}
            brand={brand}
            savedBlocks={kept.blocks}
            onSaveBlock={kept.keep}
            onDeleteSavedBlock={kept.forget}
            pickField={pickField}
            pickImage={pickImage}
          />
        </Suspense>
        {images.picker}
        {picker}
      </section>
      <Judged document={document} />
    </>
  );
}

/** What a careful sender would look at again, a moment after the last change. */
function Judged({ document }: Pick<VisualPaneProps, 'document'>) {
  const [settled] = useDebouncedValue(document, 1000);
  const { data, error } = useFilled({ document: settled, textContent: null });
  return error ? (
    <ErrorLine title="The email could not be checked." error={error} />
  ) : (
    <Findings preview={data} />
  );
}
