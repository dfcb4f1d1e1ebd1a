import { useDebouncedValue } from '@mantine/hooks';
import { fromThisHost } from '#features/images/rules/address.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { Findings } from './findings.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import classes from './templates.module.css';
import { sourceOf } from './thumbnail.tsx';
import { useFilled, type Written } from './use-filled.ts';

interface LivePreviewProps {
  name: string;
  written: Written;
  textContent: string;
}

/** The email as it looks while one writes, a moment after the last key, with sample values. */
export function LivePreview({ name, written, textContent }: LivePreviewProps) {
  const [shown] = useDebouncedValue({ ...written, textContent }, 300);
  const { data, error } = useFilled(shown);
  const isEmpty = (shown.htmlContent ?? shown.mjml ?? '').trim() === '';
  const html = isEmpty ? '' : (data?.html ?? shown.htmlContent ?? '');
  return (
    <div className={classes.live}>
      <PreviewFrame name={name || 'the template'} source={sourceOf(html)} text={data?.text ?? ''} />
      {/<img\b[^>]*\bsrc\s*=\s*["']?https?:/i.test(fromThisHost(html)) && (
        <p className={classes.hint}>Pictures from elsewhere show once the template is saved.</p>
      )}
      {error ? (
        <ErrorLine title="The email could not be filled." error={error} />
      ) : (
        html !== '' && <Findings preview={data} />
      )}
    </div>
  );
}
