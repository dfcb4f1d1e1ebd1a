import { SegmentedControl, Textarea } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import classes from './templates.module.css';
import type { FrameSource } from './thumbnail.tsx';

/** The widths of mail programs: a window on a desk, and a phone. */
const widths = { Desktop: 680, Phone: 375 } as const;
type Width = keyof typeof widths;

interface PreviewFrameProps {
  name: string;
  source: FrameSource;
  /** The same as mail programs with dark colours show it. Absent: there is no way to it. */
  dark?: FrameSource | undefined;
  /** The text version. Absent: there is no way to it. */
  text?: string | undefined;
  /** What is shown first. */
  first?: Width;
  /** Beside the widths. */
  aside?: ReactNode;
}

/** An email at the width of a desk or a phone, in a frame in which nothing runs. */
export function PreviewFrame({ name, source, dark, text, first = 'Desktop', aside }: PreviewFrameProps) {
  const [shown, setShown] = useState<Width | 'Text'>(first);
  const [colours, setColours] = useState('Light');
  const choices = ['Desktop', 'Phone', ...(text === undefined ? [] : ['Text'])];
  return (
    <div className={classes.preview}>
      <div className={classes.controls}>
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          data={choices}
          value={shown}
          onChange={(value) => setShown(value as Width | 'Text')}
        />
        {dark && (
          <SegmentedControl
            size="xs"
            aria-label="Colours of the mail program"
            data={['Light', 'Dark']}
            value={colours}
            onChange={setColours}
          />
        )}
        {aside}
      </div>
      {shown === 'Text' ? (
        <Textarea
          className={classes.text}
          aria-label="Text version"
          readOnly
          value={text}
          classNames={{ input: classes.code }}
        />
      ) : (
        <Frame name={name} source={colours === 'Dark' && dark ? dark : source} width={widths[shown]} />
      )}
    </div>
  );
}

interface FrameProps extends Pick<PreviewFrameProps, 'name' | 'source'> {
  width: number;
}

/** Where there is less room than the email takes, it is drawn smaller, not laid out anew. */
function Frame({ name, source, width }: FrameProps) {
  const { ref, width: room, height } = useElementSize();
  const scale = Math.min(1, room / width);
  return (
    <div ref={ref} className={classes.stage}>
      {room > 0 && (
        <iframe
          {...source}
          title={`How ${name} looks`}
          sandbox=""
          style={{ width, height: height / scale, transform: `translateX(-50%) scale(${scale})` }}
        />
      )}
    </div>
  );
}
