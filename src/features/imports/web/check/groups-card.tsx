import { ListPicker } from '#features/lists/web/index.ts';
import { TagPicker } from '#features/tags/web/index.ts';
import { Card } from '#platform/web/components/card.tsx';
import type { ImportOptions } from '../../contract.ts';
import classes from './groups-card.module.css';
import type { GroupsChoice } from './use-groups.ts';

interface GroupsCardProps {
  options: ImportOptions;
  groups: GroupsChoice;
  locked: boolean;
}

/** The list that the contacts of a file are put on, and the tags that they get. */
export function GroupsCard({ options, groups: { failure, choose, making }, locked }: GroupsCardProps) {
  const { listId, tagIds = [] } = options;
  return (
    <Card title="Lists and tags" hint="optional">
      <div className={classes.fields}>
        <ListPicker
          chosen={listId === undefined ? [] : [listId]}
          disabled={locked}
          error={failure?.of === 'listId' ? failure.reason : null}
          onChange={([id]) => choose('listId', id)}
          onMaking={making}
        />
        <TagPicker
          chosen={tagIds}
          disabled={locked}
          error={failure?.of === 'tagIds' ? failure.reason : null}
          onChange={(ids) => choose('tagIds', ids)}
          onMaking={making}
        />
        <p className={classes.hint}>
          Everybody whom this file brings is added, also those who are contacts already. Rows that are
          invalid, non-UK or suppressed are not.
        </p>
      </div>
    </Card>
  );
}
