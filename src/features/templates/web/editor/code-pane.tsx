import { Button, Textarea } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useRef } from 'react';
import { InsertImage } from '../insert-image.tsx';
import { LivePreview } from '../live-preview.tsx';
import classes from '../templates.module.css';
import type { Draft } from './content.ts';
import { usePickField } from './pick-field.tsx';

interface CodePaneProps {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

/** HTML or MJML as text, with the email beside it. */
export function CodePane({ draft, onChange }: CodePaneProps) {
  const { name, content, textContent } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const { pickField, picker } = usePickField();
  if (content.mode === 'visual') return null;
  const isHtml = content.mode === 'html';
  const text = isHtml ? content.htmlContent : content.mjml;
  const write = (value: string) =>
    onChange({
      content: isHtml ? { mode: 'html', htmlContent: value } : { mode: 'mjml', mjml: value },
    });
  const insertField = async () => {
    const [from, to] = [
      field.current?.selectionStart ?? text.length,
      field.current?.selectionEnd ?? text.length,
    ];
    const liquid = await pickField();
    if (liquid !== null) write(text.slice(0, from) + liquid + text.slice(to));
    field.current?.focus();
  };
  return (
    <div className={classes.writing}>
      <div className={classes.fields}>
        <Textarea
          ref={field}
          label={isHtml ? 'HTML Content' : 'MJML Content'}
          rows={22}
          spellCheck={false}
          classNames={{ input: classes.code }}
          value={text}
          onChange={({ currentTarget: { value } }) => write(value)}
        />
        <div className={classes.inserting}>
          {isHtml && <InsertImage field={field} html={text} onChange={write} />}
          <Button
            variant="default"
            size="xs"
            leftSection={<IconBraces size={16} stroke={1.6} />}
            onClick={() => void insertField()}
          >
            Insert field
          </Button>
        </div>
        <Textarea
          label="Text Content"
          description="Optional: what readers without HTML see. Left empty, it is made from the HTML."
          rows={5}
          classNames={{ input: classes.code }}
          value={textContent}
          onChange={({ currentTarget: { value } }) => onChange({ textContent: value })}
        />
      </div>
      <LivePreview
        name={name}
        written={isHtml ? { htmlContent: text } : { mjml: text }}
        textContent={textContent}
      />
      {picker}
    </div>
  );
}
