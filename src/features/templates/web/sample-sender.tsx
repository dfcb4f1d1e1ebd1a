import { TextLink } from '#platform/web/components/links.tsx';
import type { TemplatePreview } from '../contract.ts';
import { sampleValues } from '../rules/sample-data.ts';
import classes from './templates.module.css';

/** Says of a filled email that its sender is a sample, as long as the settings do not name one. */
export function SampleSender({ preview }: { preview: Pick<TemplatePreview, 'sampled'> | undefined }) {
  const [first] = preview?.sampled ?? [];
  if (first === undefined) return null;
  return (
    <p className={classes.hint}>
      {sampleValues[first]} is a sample. Your company and address come from the{' '}
      <TextLink to="/settings" hash="sender">
        settings
      </TextLink>
      .
    </p>
  );
}
