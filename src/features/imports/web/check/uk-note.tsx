import { SegmentedControl } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { UkPolicy } from '#features/addresses/contract.ts';
import type { ImportCheck } from '../../contract.ts';
import { settingsQuery } from '../api.ts';
import { ukWords } from '../import-words.ts';
import classes from './uk-note.module.css';
import type { Recheck } from './use-check.ts';

const policies: { value: UkPolicy; label: string }[] = [
  { value: 'suffix', label: 'UK endings only' },
  { value: 'likely', label: 'Also likely UK' },
  { value: 'any_but_foreign_cctld', label: 'All but foreign' },
];

interface UkNoteProps {
  check: ImportCheck;
  recheck: Recheck;
  stale: boolean;
  locked: boolean;
}

/**
 * All that the non-UK filter leaves out, by UK class, and the choice to keep more in this import.
 */
export function UkNote({ check, recheck, stale, locked }: UkNoteProps) {
  const settings = useQuery(settingsQuery).data?.emailValidation;
  const { options, change } = recheck;
  const policy = options.ukPolicy ?? settings?.ukPolicy;
  const { likelyUk, global } = check.ukView;
  if (!options.filterNonUk || policy === undefined) return null;
  if (likelyUk + global + check.counts.nonUk === 0) return null;
  const { title, lines } = ukWords(policy, check);
  return (
    <section className={classes.note} aria-label="UK filter">
      <IconInfoCircle size={16} stroke={1.6} className={classes.icon} aria-hidden />
      <div data-stale={stale || undefined} className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        {lines.map((line) => (
          <p key={line} className={classes.text}>
            {line}
          </p>
        ))}
      </div>
      <SegmentedControl
        className={classes.control}
        size="xs"
        fullWidth
        aria-label="Which addresses count as UK"
        data={policies}
        value={policy}
        disabled={locked}
        onChange={(value) => change({ options: { ...options, ukPolicy: value as UkPolicy } })}
      />
    </section>
  );
}
