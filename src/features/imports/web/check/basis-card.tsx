import { SaidBasisField } from '#features/basis/web/index.ts';
import { Card } from '#platform/web/components/card.tsx';
import type { ImportCheck, ImportOptions } from '../../contract.ts';
import classes from './groups-card.module.css';
import type { GroupsChoice } from './use-groups.ts';

interface BasisCardProps {
  options: ImportOptions;
  columns: ImportCheck['columns'];
  targets: readonly string[];
  groups: GroupsChoice;
  locked: boolean;
}

/** One answer for the file to the question on what basis its contacts may get marketing. */
export function BasisCard({
  options,
  columns,
  targets,
  groups: { failure, choose },
  locked,
}: BasisCardProps) {
  const saying = columns[targets.indexOf('basis')];
  return (
    <Card title="What lets you mail these people?" hint="optional">
      <div className={classes.fields}>
        <SaidBasisField
          said={options.basis}
          title="What lets you mail these people?"
          unsaid={saying ? `Each row says it in “${saying.name}”` : 'Unknown'}
          note="Contacts that were there already get it only while theirs is unknown. “No basis” counts for all of them."
          disabled={locked}
          onChoose={(said) => choose('basis', said)}
        />
        {failure?.of === 'basis' && (
          <p className={classes.failure} role="alert">
            {failure.reason}
          </p>
        )}
        <p className={classes.hint}>
          {saying
            ? 'Rows that say nothing get what you choose here. A text there that is not understood counts as unknown.'
            : 'The marketing basis of everybody whom this file brings, with where it comes from and since when. Campaigns go by it.'}
        </p>
      </div>
    </Card>
  );
}
