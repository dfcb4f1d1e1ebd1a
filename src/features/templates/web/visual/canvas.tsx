import { Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect } from 'react';
import { deferred } from '#platform/web/components/deferred.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { previewPage } from '../../rules/preview-page.ts';
import { BlockToolbar } from './block-toolbar.tsx';
import { BlockTree } from './block-tree.tsx';
import type { Drop } from './drop-place.ts';
import type { Box } from './measure.ts';
import { useRendered } from './render-on-change.ts';
import { mayWrite } from './text-block.ts';
import type { Editor } from './use-editor.ts';
import { useFrame } from './use-frame.ts';
import classes from './visual.module.css';
import type { VisualEditorProps } from './visual-props.ts';

// Fetched apart: most of its weight is the library for rich text.
const loadTextEditor = () => import('./text-editor.tsx');
const TextEditor = deferred(async () => (await loadTextEditor()).default);

/** What is seen of the ground around an email. */
const ground = 40;
const phoneWidth = 375;

export interface CanvasView {
  width: 'desktop' | 'phone';
  dark: boolean;
}

export interface CanvasPlace {
  element: RefObject<HTMLDivElement | null>;
  boxes: RefObject<ReadonlyMap<string, Box>>;
  scale: RefObject<number>;
}

interface CanvasProps extends Pick<VisualEditorProps, 'pickField' | 'onSaveBlock'> {
  editor: Editor;
  view: CanvasView;
  place: CanvasPlace;
  drop: Drop | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
}

const blank = previewPage('');

/** For what lies over the email and keeps its own size. */
const scaled = (scale: number) => ({ '--unscaled': 1 / scale }) as CSSProperties;

/**
 * The email as it is sent, with its blocks laid over it. The frame runs no scripts; it shares our
 * origin only so that its blocks can be measured.
 */
export function Canvas({ editor, view, place, drop, onKeyDown, pickField, onSaveBlock }: CanvasProps) {
  const { ref: room, width: given } = useElementSize();
  const width = view.width === 'phone' ? phoneWidth : editor.document.look.width + ground;
  const scale = given > 0 ? Math.min(1, given / width) : 1;
  const { rendered, failed } = useRendered(editor.document);
  const frame = useFrame({
    ...{ rendered, labels: editor.labels, faulty: editor.faults.liquid },
    ...{ dark: view.dark, width },
  });
  place.boxes.current = frame.boxes;
  place.scale.current = scale;
  useEffect(() => void loadTextEditor(), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: pressing beside all blocks selects none; Escape does so with the keyboard.
    <div className={classes.canvas} onClick={() => editor.select(null)}>
      <div ref={room} className={classes.room}>
        {failed && (
          <ErrorState
            title="The email could not be drawn"
            description="Your changes are kept. Undo the last one, or change the block."
          />
        )}
        {!rendered && !failed && <Skeleton height={480} width={Math.min(width, given || width)} mx="auto" />}
        <div
          className={classes.scaled}
          style={{ width: width * scale, height: frame.height * scale }}
          hidden={!rendered}
        >
          <div
            ref={place.element}
            className={classes.paper}
            data-dark={view.dark || undefined}
            style={{ width, height: frame.height, transform: `scale(${scale})`, ...scaled(scale) }}
          >
            <iframe
              ref={frame.ref}
              title="The email"
              sandbox="allow-same-origin"
              srcDoc={blank}
              tabIndex={-1}
              aria-hidden
              inert
              scrolling="no"
              onLoad={frame.onLoad}
            />
            <BlockTree editor={editor} boxes={frame.boxes} onKeyDown={onKeyDown} />
            <Above
              editor={editor}
              boxes={frame.boxes}
              scale={scale}
              pickField={pickField}
              onSaveBlock={onSaveBlock}
            />
            {drop && <div className={classes.drop} style={drop.line} />}
            {editor.items.length === 0 && (
              <p className={classes.emptyEmail}>Press a block at the left, or drag it here.</p>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

interface AboveProps extends Pick<VisualEditorProps, 'pickField' | 'onSaveBlock'> {
  editor: Editor;
  boxes: ReadonlyMap<string, Box>;
  scale: number;
}

/** What stands over the selected block: its name, its words while written, its actions. */
function Above({ editor, boxes, scale, pickField, onSaveBlock }: AboveProps) {
  const { selected, writing } = editor;
  const box = boxes.get(selected?.id ?? '');
  if (!selected || !box) return null;
  const { block } = selected;
  const isWriting = writing === selected.id && mayWrite(block);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: presses here must not reach the canvas, which would select nothing.
    <div onClick={(event) => event.stopPropagation()}>
      {!isWriting && (
        <span className={classes.nameTab} style={{ left: box.left, top: box.top }} aria-hidden>
          {selected.name}
        </span>
      )}
      {isWriting ? (
        <TextEditor key={block.id} block={block} box={box} editor={editor} pickField={pickField} />
      ) : (
        block && (
          <BlockToolbar
            key={block.id}
            editor={editor}
            block={block}
            name={selected.name}
            box={box}
            scale={scale}
            onSaveBlock={onSaveBlock}
          />
        )
      )}
    </div>
  );
}
