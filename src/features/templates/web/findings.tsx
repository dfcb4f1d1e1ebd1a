import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { Finding, TemplatePreview } from '../contract.ts';
import classes from './templates.module.css';

interface FindingsProps {
  preview: TemplatePreview | undefined;
  /** Moves to the place of a finding that has one. Absent: nothing is written here. */
  onGo?: ((finding: Finding) => void) | undefined;
  /** What the block of a finding is called. */
  nameOf?: (block: string) => string;
}

/** Why a template cannot be filled, or what a careful sender would look at again. */
export function Findings({ preview, ...going }: FindingsProps) {
  if (!preview) return null;
  const { problems, warnings } = preview;
  return (
    <>
      {problems.length > 0 && (
        <Note tone="error" title="This cannot be filled yet">
          <Lines findings={problems} {...going} />
        </Note>
      )}
      {warnings.length > 0 && (
        <Note title={`${formatCount(warnings.length, 'thing')} to look at`}>
          <Lines findings={warnings} {...going} />
        </Note>
      )}
    </>
  );
}

type LinesProps = Omit<FindingsProps, 'preview'> & { findings: readonly Finding[] };

const Lines = ({ findings, onGo, nameOf }: LinesProps) => (
  <ul className={classes.findings}>
    {findings.map((finding) => {
      const { part, line, column, block, words } = finding;
      const place = block !== null && nameOf ? `${nameOf(block)}:` : placeOf(finding);
      return (
        <li key={`${part} ${line} ${column} ${block} ${words}`}>
          {onGo && place !== '' ? <TextButton onClick={() => onGo(finding)}>{place}</TextButton> : place}
          {place !== '' && ' '}
          {words}
        </li>
      );
    })}
  </ul>
);

const placeOf = ({ line, part }: Finding): string =>
  line === null ? '' : `${part === 'text' ? 'Text, line' : 'Line'} ${line}:`;
