import { IconInfoCircle } from '@tabler/icons-react';
import type { ImportCheck } from '../../contract.ts';
import { titlesSentence } from '../import-words.ts';
import classes from './file-card.module.css';

/** The lines above the first row, which are skipped. */
export function TitleLines({ check }: { check: ImportCheck }) {
  if (check.titles.length === 0) return null;
  return (
    <div className={classes.problems}>
      <IconInfoCircle size={16} stroke={1.6} className={classes.titleIcon} aria-hidden />
      <span className={classes.problemWords}>{titlesSentence(check.titles)}</span>
    </div>
  );
}
