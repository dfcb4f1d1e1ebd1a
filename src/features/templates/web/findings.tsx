import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { Finding, TemplatePreview } from '../contract.ts';
import classes from './templates.module.css';

interface FindingsProps {
  preview: TemplatePreview | undefined;
  /** Moves to the place of a finding that has one. Absent: nothing is written here. */
  onGo?: ((finding: Finding) => void) | undefined;
}

/** Why a template cannot be filled, or what a careful sender would look at again. */
export function Findings({ preview, onGo }: FindingsProps) {
  if (!preview) return null;
  const { problems, warnings } = preview;
  return (
    <>
      {problems.length > 0 && (
        <Note tone="error" title="This cannot be filled yet">
          <Lines findings={problems} onGo={onGo} />
        </Note>
      )}
      {warnings.length > 0 && (
        <Note title={`${formatCount(warnings.length, 'thing')} to look at`}>
          <Lines findings={warnings} onGo={onGo} />
        </Note>
      )}
    </>
  );
}

const Lines = ({ findings, onGo }: { findings: readonly Finding[] } & Pick<FindingsProps, 'onGo'>) => (
  <ul className={classes.findings}>
    {findings.map((finding) => (
      <li key={`${finding.part} ${finding.line} ${finding.column} ${finding.words}`}>
        {onGo && finding.line !== null ? (
          <TextButton onClick={() => onGo(finding)}>{placeOf(finding)}</TextButton>
        ) : (
          placeOf(finding)
        )}
        {finding.line !== null && ' '}
        {finding.words}
      </li>
    ))}
  </ul>
);

const placeOf = ({ line, part }: Finding): string =>
  line === null ? '' : `${part === 'text' ? 'Text, line' : 'Line'} ${line}:`;
