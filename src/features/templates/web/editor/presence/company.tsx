import { Tooltip } from '@mantine/core';
import { useMay } from '#platform/web/current-user.ts';
import classes from './company.module.css';
import { companyWords, type Doing, doingOf, initialsOf } from './company-words.ts';
import type { Presence } from './use-presence.ts';

const doings: Record<Doing, string> = {
  editing: 'is editing this',
  looking: 'is looking at this',
  hidden: 'has this open, and looks at something else',
};
/** More would push the buttons away. The words count all. */
const mostShown = 4;

/** The others who have the same template open. */
export function Company({ presence }: { presence: Presence | undefined }) {
  const mayWrite = useMay('editor');
  const { people = [], ownWindows = 0 } = presence ?? {};
  return (
    <span className={classes.company}>
      {people.length > 0 && (
        <span className={classes.people} aria-hidden>
          {people.slice(0, mostShown).map((person) => (
            <Tooltip key={person.userId} label={`${person.name} ${doings[doingOf(person)]}`}>
              <span className={classes.person} data-doing={doingOf(person)}>
                {initialsOf(person.name)}
              </span>
            </Tooltip>
          ))}
        </span>
      )}
      {/* It stands there empty, so that a change is read out. */}
      <span role="status" className={classes.words}>
        {companyWords({ people, ownWindows, mayWrite })}
      </span>
    </span>
  );
}
