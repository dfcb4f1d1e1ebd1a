import { Button, Textarea } from '@mantine/core';
import { IconBraces, IconRefresh } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { toastDone } from '#platform/web/toast.tsx';
import type { TemplatePreview } from '../../contract.ts';
import classes from '../templates.module.css';
import type { Draft } from './content.ts';
import { usePickField } from './pick-field.tsx';

interface TextPartProps {
  /** The text of one's own. Empty: it is made from the HTML. */
  textContent: string;
  /** What was made of the HTML last. */
  preview: TemplatePreview | undefined;
  onChange: (patch: Partial<Draft>) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  rows?: number;
}

export const isOwnText = (textContent: string): boolean => textContent.trim() !== '';

/**
 * What readers without HTML see: made from the HTML until somebody changes a letter of it. From
 * then on it is their own, until they give it back.
 */
export function TextPart({ textContent, preview, onChange, field, rows = 8 }: TextPartProps) {
  const { pickField, picker } = usePickField();
  const [isEmptied, setEmptied] = useState(false);
  const isOwn = isOwnText(textContent);
  // Once it is their own, nothing makes it any more. Whoever undoes that finds it as it was.
  const [made, setMade] = useState('');
  // A later answer would take away what somebody has selected, or where they are about to write.
  const [isHeld, setHeld] = useState(false);
  if (preview?.isTextMade && preview.textSource !== made && !isHeld) setMade(preview.textSource);
  const write = (text: string) => {
    // Whoever takes everything out is about to write, so the made text does not come back yet.
    setEmptied(!isOwnText(text));
    onChange({ textContent: text === made ? '' : text });
  };
  const follow = () => {
    onChange({ textContent: '' });
    toastDone({
      title: 'Text Follows the HTML',
      message: 'Your own text is gone from this template.',
      action: { label: 'Undo', onClick: () => onChange({ textContent }) },
      isOfDraft: true,
    });
  };
  const insert = async () => {
    const liquid = await pickField();
    const at = field.current;
    if (liquid !== null && at)
      write(at.value.slice(0, at.selectionStart) + liquid + at.value.slice(at.selectionEnd));
  };
  return (
    <>
      <Textarea
        ref={field}
        data-autofocus
        label="Text Content"
        description={
          isOwn
            ? 'For readers without HTML. It is your own text, and no longer follows the HTML.'
            : 'For readers without HTML. It is made from the HTML, and follows it until you change it.'
        }
        rows={rows}
        classNames={{ input: classes.code }}
        value={isOwn || isEmptied ? textContent : made}
        onChange={({ currentTarget: { value } }) => write(value)}
        onKeyDown={() => setHeld(true)}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          selectionStart < selectionEnd && setHeld(true)
        }
        onBlur={() => {
          setEmptied(false);
          setHeld(false);
        }}
      />
      <div className={classes.inserting}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconBraces size={16} stroke={1.6} />}
          onClick={() => void insert()}
        >
          Insert field in the text
        </Button>
        {isOwn && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={16} stroke={1.6} />}
            onClick={follow}
          >
            Follow the HTML again
          </Button>
        )}
      </div>
      {picker}
    </>
  );
}
