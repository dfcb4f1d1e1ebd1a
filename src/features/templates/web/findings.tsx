import { Note } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { Finding, TemplatePreview } from '../contract.ts';
import classes from './templates.module.css';

/** Why a template cannot be filled, or what a careful sender would look at again. */
export function Findings({ preview }: { preview: TemplatePreview | undefined }) {
  if (!preview) return null;
  const { problems, warnings } = preview;
  return (
    <>
      {problems.length > 0 && (
        <Note tone="error" title="This cannot be filled yet">
          <Lines findings={problems} />
        </Note>
      )}
      {warnings.length > 0 && (
        <Note title={`${formatCount(warnings.length, 'thing')} to look at`}>
          <Lines findings={warnings} />
        </Note>
      )}
    </>
  );
}

const Lines = ({ findings }: { findings: readonly Finding[] }) => (
  <ul className={classes.findings}>
    {findings.map(({ words, part, line, column }) => (
      <li key={`${part} ${line} ${column} ${words}`}>
        {line !== null && `${part === 'text' ? 'Text, line' : 'Line'} ${line}: `}
        {words}
      </li>
    ))}
  </ul>
);
