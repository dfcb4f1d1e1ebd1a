import { SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { switchMode } from '../../contract.ts';
import { tellFailed } from '../template-actions.ts';
import { type Content, contentOf, type TemplateMode, writtenIn } from './content.ts';

const modes: { value: TemplateMode; label: string }[] = [
  { value: 'visual', label: 'Visual' },
  { value: 'mjml', label: 'MJML' },
  { value: 'html', label: 'HTML' },
];

type Turned = ResponseOf<typeof switchMode>;

interface ModeSwitchProps {
  content: Content;
  onChange: (content: Content) => void;
}

/** Goes on in another way of writing. Says before if something would be different afterwards. */
export function ModeSwitch({ content, onChange }: ModeSwitchProps) {
  const [asked, setAsked] = useState<{ words: string; content: Content } | null>(null);
  const [pending, setPending] = useState(false);
  const latest = useRef(content);
  latest.current = content;
  const turn = async (to: TemplateMode) => {
    if (to === content.mode) return;
    // Nothing is written, so there is nothing to turn.
    if (content.mode === 'html' && content.htmlContent.trim() === '' && to === 'mjml')
      return onChange({ mode: 'mjml', mjml: '' });
    setPending(true);
    try {
      let from: Content;
      let turned: Turned;
      // What is written while it is turned is turned too.
      do {
        from = latest.current;
        turned = await call(switchMode, { body: { ...writtenIn(from), to } });
      } while (from !== latest.current);
      if (turned.isLossless) onChange(contentOf(turned));
      else setAsked({ words: turned.words ?? 'It will not be quite the same.', content: contentOf(turned) });
    } catch (error) {
      tellFailed(error, 'This cannot be written in another way yet.');
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Write it as"
        disabled={pending}
        data={modes}
        value={content.mode}
        onChange={(value) => void turn(value as TemplateMode)}
      />
      {asked && (
        <ConfirmDialog
          opened
          onClose={() => setAsked(null)}
          title="Go on in another way?"
          confirmLabel="Go on"
          onConfirm={async () => {
            onChange(asked.content);
            setAsked(null);
          }}
        >
          {asked.words}
        </ConfirmDialog>
      )}
    </>
  );
}
