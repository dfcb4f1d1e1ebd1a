import { DndContext, DragOverlay } from '@dnd-kit/core';
import { Drawer, Tabs } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { usePhone, useWide } from '#platform/web/components/use-phone.ts';
import { blockKeys } from './block-keys.ts';
import { Canvas, type CanvasPlace, type CanvasView } from './canvas.tsx';
import { EditorBar } from './editor-bar.tsx';
import { Inspector } from './inspector.tsx';
import { OutlineList } from './outline-list.tsx';
import { Palette } from './palette.tsx';
import { PreheaderField } from './preheader-field.tsx';
import { StylePanel } from './style-panel.tsx';
import { ToolsContext } from './tools-context.ts';
import { useClipboard } from './use-clipboard.ts';
import { useDragging } from './use-dragging.ts';
import { type Editor, useEditor } from './use-editor.ts';
import classes from './visual.module.css';
import type { VisualEditorProps } from './visual-props.ts';

type Panel = 'palette' | 'inspector';

/**
 * Writes a template as blocks. It fills the box that it is given. All it knows comes as props, see
 * `visual-props.ts`.
 */
export default function VisualEditor(props: VisualEditorProps) {
  const editor = useEditor(props);
  const isWide = useWide();
  const isPhone = usePhone();
  const root = useRef<HTMLDivElement>(null);
  const inspector = useRef<HTMLElement>(null);
  const place: CanvasPlace = { element: useRef(null), boxes: useRef(new Map()), scale: useRef(1) };
  const [view, setView] = useState<CanvasView>({ width: isPhone ? 'phone' : 'desktop', dark: false });
  const [tab, setTab] = useState<string | null>('blocks');
  const [open, setOpen] = useState<Panel | null>(null);
  const dragging = useDragging(editor, place);
  useClipboard(root, editor);
  const keys = blockKeys(editor, {
    toPalette: () => {
      setTab('blocks');
      setOpen('palette');
      focusFirst(root, `.${classes.palette} input`);
    },
    toSettings: () => {
      setOpen('inspector');
      focusFirst(inspector, `.${classes.settings} :is(input, textarea, button)`);
    },
  });
  const panels = {
    palette: <LeftPanel {...props} editor={editor} tab={tab} onTab={setTab} />,
    inspector: <Inspector ref={inspector} editor={editor} />,
  };
  return (
    <ToolsContext value={props}>
      {/* Focus and announcements are ours: the library's are made for lists. */}
      <DndContext {...dragging.context} accessibility={{ restoreFocus: false, announcements: silent }}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys that work wherever one is in the editor. */}
        <div ref={root} className={classes.editor} onKeyDown={(event) => stepping(event, editor)}>
          <EditorBar
            editor={editor}
            view={view}
            onView={setView}
            onOpen={isWide ? undefined : setOpen}
            barStart={props.barStart}
            barEnd={props.barEnd}
          />
          <PreheaderField editor={editor} />
          <div className={classes.panes}>
            {isWide && panels.palette}
            <Canvas
              editor={editor}
              view={view}
              place={place}
              drop={dragging.drop}
              onKeyDown={keys}
              pickField={props.pickField}
              onSaveBlock={props.onSaveBlock}
            />
            {isWide && panels.inspector}
          </div>
          {!isWide && (
            <Drawer
              opened={open !== null}
              onClose={() => setOpen(null)}
              position={open === 'palette' ? 'left' : 'right'}
              size={320}
              title={open === 'palette' ? 'Add a block' : 'Settings'}
              onClick={(event) => closesAfterAdding(event.target) && setOpen(null)}
            >
              {open && panels[open]}
            </Drawer>
          )}
          <div role="status" className={classes.unseen}>
            {editor.told}
          </div>
        </div>
        <DragOverlay dropAnimation={null}>
          {dragging.dragged !== null && <span className={classes.dragged}>{dragging.dragged}</span>}
        </DragOverlay>
      </DndContext>
    </ToolsContext>
  );
}

const nothing = (): undefined => undefined;
const silent = { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing };

/** Undo and redo, wherever one is: fields and words have no history of their own here. */
function stepping(event: KeyboardEvent, { undo, redo }: Editor): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  event.stopPropagation();
  if (key === 'y' || event.shiftKey) redo();
  else undo();
}

/** A moment later, when what holds it is there. */
function focusFirst(within: RefObject<HTMLElement | null>, selector: string): void {
  requestAnimationFrame(() => within.current?.querySelector<HTMLElement>(selector)?.focus());
}

const closesAfterAdding = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(`.${classes.tile}`) !== null;

interface LeftPanelProps extends VisualEditorProps {
  editor: Editor;
  tab: string | null;
  onTab: (tab: string | null) => void;
}

function LeftPanel({ editor, tab, onTab, brand, savedBlocks, onDeleteSavedBlock }: LeftPanelProps) {
  return (
    <div className={classes.left}>
      <Tabs value={tab} onChange={onTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="blocks">Blocks</Tabs.Tab>
          <Tabs.Tab value="outline">Outline</Tabs.Tab>
          <Tabs.Tab value="style">Style</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="blocks">
          <Palette editor={editor} savedBlocks={savedBlocks ?? []} onDeleteSavedBlock={onDeleteSavedBlock} />
        </Tabs.Panel>
        <Tabs.Panel value="outline">
          <OutlineList editor={editor} />
        </Tabs.Panel>
        <Tabs.Panel value="style">
          <StylePanel editor={editor} brand={brand} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
