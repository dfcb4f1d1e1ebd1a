import { startCompletion } from '@codemirror/autocomplete';
import { setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { TemplateField } from '../../../contract/fields.ts';
import type { TemplatePreview } from '../../../contract.ts';
import { codeExtensions } from './code-extensions.ts';
import type { CodeHandle } from './code-handle.ts';
import { marksOf, rangeOf } from './finding-marks.ts';
import { liquidAt } from './liquid-completions.ts';

export interface CodeEditorProps {
  label: string;
  describedBy: string;
  isMjml: boolean;
  text: string;
  onChange: (text: string) => void;
  fields: readonly TemplateField[];
  /** The findings for this very text. Undefined: not known yet. */
  preview: TemplatePreview | undefined;
  handle: Ref<CodeHandle>;
}

/** A change that came from the page, which knows of it. */
const fromPage = Annotation.define<boolean>();

/** Code with colours, line numbers, completion, and its findings where they are. */
export default function CodeEditor({ text, preview, handle, ...props }: CodeEditorProps) {
  const { host, view } = useView(text, props);
  const part = props.isMjml ? 'mjml' : 'html';
  useEffect(() => {
    const { current } = view;
    if (current && preview)
      current.dispatch(setDiagnostics(current.state, marksOf(current.state.doc, preview, part)));
  }, [view, preview, part]);
  // Whoever has begun a name before the fields were there still gets them offered.
  const areFieldsThere = props.fields.length > 0;
  useEffect(() => {
    const { current } = view;
    if (areFieldsThere && current?.hasFocus && liquidAt(current.state)?.typed) startCompletion(current);
  }, [view, areFieldsThere]);
  useImperativeHandle(handle, () => handleOf(view), [view]);
  return <div ref={host} style={{ height: '100%' }} />;
}

type ViewRef = { readonly current: EditorView | null };

const handleOf = (ref: ViewRef): CodeHandle => ({
  insert(text) {
    const { current: view } = ref;
    if (!view) return;
    view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
    view.focus();
  },
  goTo(line, column) {
    const { current: view } = ref;
    const range = view && rangeOf(view.state.doc, { line, column });
    if (!range) return;
    view.focus();
    view.dispatch({
      selection: { anchor: range.from, head: range.to },
      effects: EditorView.scrollIntoView(range.from, { y: 'center' }),
    });
  },
});

/**
 * The field, made once. What the page changes is put into it; what is typed is told to the page.
 */
function useView(text: string, props: Omit<CodeEditorProps, 'text' | 'preview' | 'handle'>) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ ...props, text });
  /** What the page was told last, or has told. */
  const known = useRef(text);
  useLayoutEffect(() => {
    latest.current = { ...props, text };
  });
  useLayoutEffect(() => {
    const { label, describedBy, isMjml, text: begin } = latest.current;
    const tell = EditorView.updateListener.of(({ docChanged, transactions, state }) => {
      if (!docChanged || transactions.some((one) => one.annotation(fromPage))) return;
      known.current = state.doc.toString();
      latest.current.onChange(known.current);
    });
    const fields = () => latest.current.fields;
    const extensions = [codeExtensions({ label, describedBy, isMjml, fields }), tell];
    view.current = new EditorView({
      parent: host.current ?? document.body,
      state: EditorState.create({ doc: begin, extensions }),
    });
    return () => view.current?.destroy();
  }, []);
  // Before anything else is typed: what was typed since the page was drawn would be lost.
  useLayoutEffect(() => {
    if (text === known.current) return;
    known.current = text;
    view.current?.dispatch({
      changes: { from: 0, to: view.current.state.doc.length, insert: text },
      annotations: fromPage.of(true),
    });
  }, [text]);
  return { host, view };
}
