import { roles } from '#platform/shared/contract.ts';
import { Card } from '#platform/web/components/card.tsx';
import { capitalise } from '#platform/web/format.ts';
import { roleWords } from '../rules.ts';
import classes from './team-page.module.css';

export function RolesCard() {
  return (
    <Card title="What each role may do" hint="Each may also do what the ones above it may">
      <dl className={classes.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>{capitalise(role)}</dt>
            <dd>{roleWords[role]}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
