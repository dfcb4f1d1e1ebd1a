import { Node } from '@tiptap/core';
import { Color, FontSize, TextStyle } from '@tiptap/extension-text-style';
import { EditorContent, useEditor as useTiptap } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import { fontsOf } from '../../rules/document/fonts.ts';
import { findBlock } from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { chipNode } from './chip-node.ts';
import { faultyChips } from './faults.ts';
import { chipAttribute, withLiquidChips, withoutLiquidChips } from './liquid-html.ts';
import type { Box } from './measure.ts';
import type { TextBlock } from './text-block.ts';
import { TextToolbar } from './text-toolbar.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';

interface TextEditorProps {
  block: TextBlock;
  box: Box;
  editor: Editor;
  pickField: () => Promise<string | null>;
}

/** Writes the words of a block where they stand, in the type and colour that they have there. */
export default function TextEditor({ block, box, editor, pickField }: TextEditorProps) {
  const { document, select, set, write } = editor;
  const leave = () => {
    write(null);
    select(block.id, true);
  };
  const tiptap = useWords(block, editor, leave);
  return (
    <div className={classes.writing} style={{ left: box.left, top: box.top, width: box.width }}>
      <div
        className={classes.words}
        data-heading={block.type === 'heading' || undefined}
        style={{ ...lookOf(block, lookAt(document, block.id)), ...roomIn(block), minHeight: box.height }}
      >
        <style>{faultyChips(chipAttribute, editor.faults.liquid)}</style>
        <EditorContent editor={tiptap} />
      </div>
      {tiptap && (
        <TextToolbar
          tiptap={tiptap}
          block={block}
          colours={coloursOf(document.look)}
          onAlign={(align) => set({ ...block, align })}
          pickField={pickField}
          onDone={leave}
        />
      )}
    </div>
  );
}

/** Undo and redo are the document's. A heading is one line without lists. */
function extensionsFor(block: TextBlock, { labels }: Editor) {
  const isHeading = block.type === 'heading';
  return [
    StarterKit.configure({
      document: isHeading ? false : undefined,
      heading: false,
      codeBlock: false,
      code: false,
      blockquote: false,
      horizontalRule: false,
      undoRedo: false,
      trailingNode: false,
      link: { openOnClick: false, autolink: false },
      ...(isHeading && { bulletList: false, orderedList: false, listItem: false, listKeymap: false }),
    }),
    ...(isHeading ? [Node.create({ name: 'doc', topNode: true, content: 'paragraph' })] : []),
    TextStyle,
    Color,
    FontSize,
    chipNode(labels),
  ];
}

function useWords(block: TextBlock, editor: Editor, leave: () => void) {
  const latest = useRef({ block, editor, leave });
  latest.current = { block, editor, leave };
  /** What was written last. Anything else comes from undo, or from elsewhere. */
  const written = useRef(block.html);
  // Made once for each block: words that are being written are not thrown away for a new label.
  const extensions = useMemo(() => extensionsFor(block, editor), [block.id]);
  const tiptap = useTiptap({
    extensions,
    content: withLiquidChips(block.html, editor.labels),
    autofocus: 'end',
    editorProps: {
      handleKeyDown: (_, { key }) => {
        if (key === 'Escape') latest.current.leave();
        return key === 'Escape';
      },
      attributes: {
        role: 'textbox',
        'aria-multiline': String(block.type === 'text'),
        'aria-label': block.type === 'text' ? 'Text' : 'Heading',
      },
    },
    onUpdate: ({ editor: changed }) => {
      const html = htmlOf(changed.getHTML(), latest.current.block);
      if (html === latest.current.block.html) return;
      written.current = html;
      latest.current.editor.set({ ...latest.current.block, html }, 'html');
    },
  });
  useEffect(() => {
    if (!tiptap || block.html === written.current) return;
    written.current = block.html;
    tiptap.commands.setContent(withLiquidChips(block.html, latest.current.editor.labels), {
      emitUpdate: false,
    });
  }, [tiptap, block.html]);
  return tiptap;
}

function htmlOf(html: string, block: TextBlock): string {
  const words = withoutLiquidChips(html);
  return block.type === 'heading' ? words.replace(/^<p[^>]*>|<\/p>$/g, '') : words;
}

/** Those of the email first, each once. */
const coloursOf = (look: TemplateDocument['look']): string[] => [
  ...new Set([look.text, look.link, look.button, '#5a6670', '#9c2019', '#1b6e43', '#8a5300', '#ffffff']),
];

/** The colours where a block stands: its own ground counts before that of its columns. */
function lookAt(document: TemplateDocument, id: string): TemplateDocument['look'] {
  const { look, blocks } = document;
  const holder = blocks.find(
    (block) =>
      block.type === 'columns' && block.columns.some((column) => column.some((one) => one.id === id)),
  );
  const own = findBlock(document, id)?.block;
  const grounds = [own?.ground, holder?.ground];
  const text = grounds.find((ground) => ground?.text)?.text;
  return {
    ...look,
    paper: grounds.find(Boolean)?.colour ?? look.paper,
    ...(text && { text, link: text }),
  };
}

/** The words stay where they are drawn. */
const roomIn = ({ space }: TextBlock): CSSProperties => ({
  ...(space?.above !== undefined && { paddingTop: space.above }),
  ...(space?.below !== undefined && { paddingBottom: space.below }),
  ...(space?.sides !== undefined && { paddingInline: space.sides }),
});

const headingSizes = { 1: [28, 36], 2: [22, 30], 3: [18, 26] } as const;

function lookOf(block: TextBlock, look: TemplateDocument['look']): CSSProperties {
  const [fontSize, lineHeight] = block.type === 'heading' ? headingSizes[block.level] : [16, 24];
  return {
    fontFamily: fontsOf((block.type === 'heading' && look.headingFont) || look.font),
    fontSize,
    lineHeight: `${lineHeight}px`,
    fontWeight: block.type === 'heading' ? 700 : 400,
    color: look.text,
    backgroundColor: look.paper,
    textAlign: block.align,
    '--link': look.link,
  } as CSSProperties;
}
