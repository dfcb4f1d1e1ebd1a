import { useRef } from 'react';
import type { Finding } from '../../contract.ts';
import { LiveView, useLive } from '../live-preview.tsx';
import classes from '../templates.module.css';
import { CodeField } from './code/code-field.tsx';
import type { CodeHandle } from './code/code-handle.ts';
import { Inserting } from './code/inserting.tsx';
import { selectLine } from './code/select-line.ts';
import type { Content, Draft } from './content.ts';
import { useMergeFields } from './pick-field.tsx';
import { TextPart } from './text-part.tsx';

interface CodePaneProps {
  draft: Pick<Draft, 'name' | 'content' | 'textContent'>;
  onChange: (patch: Partial<Draft>) => void;
}

type Code = Exclude<Content, { mode: 'visual' }>;

const noFields: never[] = [];

/** HTML or MJML as text, with the email beside it. */
export const CodePane = ({ draft, onChange }: CodePaneProps) =>
  draft.content.mode === 'visual' ? null : (
    // Each language has a field of its own, with its own past.
    <Writing key={draft.content.mode} draft={draft} content={draft.content} onChange={onChange} />
  );

function Writing({ draft, content, onChange }: CodePaneProps & { content: Code }) {
  const { name, textContent } = draft;
  const code = useRef<CodeHandle>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const fields = useMergeFields().data?.items ?? noFields;
  const isMjml = content.mode === 'mjml';
  const text = isMjml ? content.mjml : content.htmlContent;
  const live = useLive({ ...(isMjml ? { mjml: text } : { htmlContent: text }), textContent });
  const goTo = ({ part, line, column }: Finding) => {
    if (line === null) return;
    if (part === 'text') selectLine(textField.current, line);
    else code.current?.goTo(line, column);
  };
  return (
    <div className={classes.writing}>
      <div className={classes.fields}>
        <CodeField
          label={isMjml ? 'MJML Content' : 'HTML Content'}
          isMjml={isMjml}
          text={text}
          onChange={(value) =>
            onChange({
              content: isMjml ? { mode: 'mjml', mjml: value } : { mode: 'html', htmlContent: value },
            })
          }
          fields={fields}
          preview={live.current}
          handle={code}
        />
        <Inserting isMjml={isMjml} code={code} />
        <TextPart textContent={textContent} preview={live.data} onChange={onChange} field={textField} />
      </div>
      <LiveView name={name} live={live} onGo={goTo} />
    </div>
  );
}
