import { useDebouncedValue } from '@mantine/hooks';
import { fromThisHost } from '#features/images/rules/address.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import type { Finding, TemplatePreview } from '../contract.ts';
import { Findings } from './findings.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { SampleSender } from './sample-sender.tsx';
import classes from './templates.module.css';
import { sourceOf } from './thumbnail.tsx';
import { useFilled, type Written } from './use-filled.ts';

interface LivePreviewProps {
  name: string;
  written: Written;
  textContent: string;
}

/** The email as it looks while one writes, with sample values. */
export const LivePreview = ({ name, written, textContent }: LivePreviewProps) => (
  <LiveView name={name} live={useLive({ ...written, textContent })} />
);

type Live = ReturnType<typeof useLive>;

/** What is written as the server fills it, a moment after the last key. */
export function useLive(written: Written & { textContent: string }) {
  const [shown] = useDebouncedValue(written, 300);
  const { data, error, isPlaceholderData } = useFilled(shown);
  const isOfNow = data !== undefined && !isPlaceholderData && sameWriting(shown, written);
  const current: TemplatePreview | undefined = isOfNow ? data : undefined;
  return {
    shown,
    data,
    error,
    /** Only once it is about what stands there now. */
    current,
  };
}

const sameWriting = (one: Written & { textContent: string }, other: typeof one): boolean =>
  one.htmlContent === other.htmlContent && one.mjml === other.mjml && one.textContent === other.textContent;

interface LiveViewProps {
  name: string;
  live: Live;
  onGo?: (finding: Finding) => void;
}

/** The email at the width of a desk or a phone, and what is to be looked at in it. */
export function LiveView({ name, live: { shown, data, error }, onGo }: LiveViewProps) {
  const isEmpty = (shown.htmlContent ?? shown.mjml ?? '').trim() === '';
  const html = isEmpty ? '' : (data?.html ?? shown.htmlContent ?? '');
  return (
    <div className={classes.live}>
      <PreviewFrame
        name={name || 'the template'}
        source={sourceOf(html)}
        dark={sourceOf(html, true)}
        text={data?.text ?? ''}
      />
      {html !== '' && <SampleSender preview={data} />}
      {/<img\b[^>]*\bsrc\s*=\s*["']?https?:/i.test(fromThisHost(html)) && (
        <p className={classes.hint}>Pictures from elsewhere show once the template is saved.</p>
      )}
      {error ? (
        <ErrorLine title="The email could not be filled." error={error} />
      ) : (
        html !== '' && <Findings preview={data} onGo={onGo} />
      )}
    </div>
  );
}
