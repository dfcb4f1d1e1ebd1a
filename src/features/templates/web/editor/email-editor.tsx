import type { ReactNode } from 'react';
import { CodePane } from './code-pane.tsx';
import type { Content, Draft } from './content.ts';
import classes from './editor.module.css';
import { ModeSwitch } from './mode-switch.tsx';
import { VisualPane } from './visual-pane.tsx';

/** A message as somebody writes it, in one of three ways. */
export type EmailContent = Content;

export interface EmailEditorProps {
  /** What previews are called. */
  name: string;
  content: EmailContent;
  /** The text part. Empty: made from the HTML. */
  textContent: string;
  /** Stands before the choice of the way to write. */
  lead?: ReactNode;
  onChange: (patch: { content?: EmailContent; textContent?: string }) => void;
}

/** The editor of templates, for a message that another feature keeps. */
export function EmailEditor({ name, content, textContent, lead, onChange }: EmailEditorProps) {
  const change = (patch: Partial<Draft>) =>
    onChange({
      ...(patch.content ? { content: patch.content } : {}),
      ...(patch.textContent === undefined ? {} : { textContent: patch.textContent }),
    });
  return (
    <>
      <div className={classes.choices}>
        {lead}
        <ModeSwitch content={content} onChange={(turned) => onChange({ content: turned })} />
      </div>
      {content.mode === 'visual' ? (
        <VisualPane document={content.document} textContent={textContent} onChange={change} />
      ) : (
        <CodePane draft={{ name, content, textContent }} onChange={change} />
      )}
    </>
  );
}
