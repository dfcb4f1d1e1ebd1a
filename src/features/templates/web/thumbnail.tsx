import { useElementSize } from '@mantine/hooks';
import { addressOf } from '#platform/web/api.ts';
import { showTemplate, type TemplateSummary } from '../contract.ts';
import { withSamples } from '../rules/presets/sample.ts';
import { previewPage } from '../rules/preview-page.ts';
import classes from './templates.module.css';

/** The address of a template's page in one of its versions, for a contact or with sample values. */
export const pageAddress = (
  { id, version }: Pick<TemplateSummary, 'id' | 'version'>,
  contact?: number,
  isDark = false,
): string =>
  addressOf(showTemplate, {
    params: { id },
    query: { version, contact, ...(isDark ? { dark: true } : {}) },
  });

/** What a frame shows: an address of ours, or HTML. */
export type FrameSource = { src: string } | { srcDoc: string };

/** HTML that is not stored, under the same policy as stored HTML. */
export const sourceOf = (html: string, isDark = false): FrameSource => ({
  srcDoc: previewPage(html, isDark),
});
export const sampleSource = (html: string, isDark = false): FrameSource =>
  sourceOf(withSamples(html), isDark);

/** Emails are 600 pixels wide, with a little of the ground around them. */
const widthOfEmail = 640;

interface ThumbnailProps {
  name: string;
  source: FrameSource;
  onOpen: () => void;
}

/**
 * An email drawn small from its HTML. Nothing in it runs or can be reached. Pressing it opens it.
 */
export function Thumbnail({ name, source, onOpen }: ThumbnailProps) {
  const { ref, width, height } = useElementSize();
  const scale = width / widthOfEmail;
  return (
    <div ref={ref} className={classes.thumbnail}>
      {width > 0 && (
        <iframe
          {...source}
          title={`How ${name} looks`}
          sandbox=""
          loading="lazy"
          tabIndex={-1}
          aria-hidden
          scrolling="no"
          style={{ width: widthOfEmail, height: height / scale, transform: `scale(${scale})` }}
        />
      )}
      <button type="button" className={classes.open} tabIndex={-1} aria-hidden onClick={onOpen} />
    </div>
  );
}
