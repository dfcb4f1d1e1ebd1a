import type { ResponseOf } from '#platform/shared/contract.ts';
import type { getList } from '../contract.ts';
import classes from './lists-page.module.css';

type Uses = ResponseOf<typeof getList>['usedBy'];

const nouns: Record<Uses[number]['kind'], string> = {
  view: 'The view',
  list: 'The segment',
  campaign: 'The campaign',
  template: 'The template',
};

/** What asks for a list, one line each. */
export const UsedBy = ({ uses }: { uses: Uses }) =>
  uses.length === 0 ? (
    'Nothing yet'
  ) : (
    <ul className={classes.uses}>
      {uses.map(({ kind, id, name }) => (
        <li key={`${kind} ${id}`}>{`${nouns[kind]} “${name}”`}</li>
      ))}
    </ul>
  );
