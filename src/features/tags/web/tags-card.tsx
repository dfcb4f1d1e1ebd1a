import { ActionIcon, Skeleton, Tooltip } from '@mantine/core';
import { IconPencil, IconTag, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { usesInWords } from '#features/memberships/rules/uses-in-words.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { EmptyState, ErrorState } from '#platform/web/components/states.tsx';
import { TagMark } from '#platform/web/components/tag-marks.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { firstPress } from '#platform/web/single-press.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { deleteTag, getTags, restoreTag, type Tag } from '../contract.ts';
import { TagDialog } from './tag-dialog.tsx';
import classes from './tags-card.module.css';

export interface TagsCardProps {
  /** The dialog for a new tag is open. */
  isNew: boolean;
  /** The tag whose dialog is open. */
  edited: number | undefined;
  onNew: () => void;
  onEdit: (id: number) => void;
  onClose: () => void;
}

export function TagsCard({ isNew, edited, onNew, onEdit, onClose }: TagsCardProps) {
  const tags = useQuery(queryOptionsFor(getTags));
  return (
    <Card title="Tags">
      {tags.error ? (
        <ErrorState title="The tags could not be loaded" error={tags.error} onRetry={tags.refetch} />
      ) : tags.data === undefined ? (
        <Skeleton height={10} width="60%" />
      ) : tags.data.length === 0 ? (
        <EmptyState
          icon={IconTag}
          title="No tags yet"
          description="A tag marks contacts across lists: wholesale, donor 2025, met at the fair."
          action={
            <MayEditButton why="Tags need the editor role." variant="default" onClick={onNew}>
              Create your first tag
            </MayEditButton>
          }
        />
      ) : (
        <ul className={classes.tags}>
          {tags.data.map((tag) => (
            <TagRow key={tag.id} tag={tag} onEdit={() => onEdit(tag.id)} />
          ))}
        </ul>
      )}
      <TagDialog
        asked={isNew ? 'new' : (tags.data?.find(({ id }) => id === edited) ?? null)}
        onClose={onClose}
      />
    </Card>
  );
}

function TagRow({ tag, onEdit }: { tag: Tag; onEdit: () => void }) {
  const { id, name, contactCount } = tag;
  const mayEdit = useMay('editor');
  const remove = useRemoveTag();
  return (
    <li className={classes.tag}>
      <TagMark {...tag} />
      <span className={classes.count}>
        {contactCount === 0 ? (
          '0'
        ) : (
          <TextLink
            to="/email-database"
            search={{ tag: id }}
            label={`${formatCount(contactCount, 'contact')} tagged ${name}`}
          >
            {formatNumber(contactCount)}
          </TextLink>
        )}
      </span>
      {mayEdit && (
        <span className={classes.actions}>
          <Tooltip label={`Edit ${name}`}>
            <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${name}`} onClick={onEdit}>
              <IconPencil size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={`Delete ${name}`}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete ${name}`}
              onClick={firstPress(() => remove(tag))}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </span>
      )}
    </li>
  );
}

/** Deletes a tag at once, and offers to take that back. */
function useRemoveTag(): (tag: Tag) => Promise<void> {
  const queryClient = useQueryClient();
  const bringBack = async ({ id, name }: Tag) => {
    try {
      await call(restoreTag, { params: { id } });
      toastDone({ title: 'Tag Restored', message: `Its contacts are tagged ${name} again.` });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to restore tag') });
    }
    await refreshContacts(queryClient);
  };
  return async (tag) => {
    try {
      const { usedBy } = await call(deleteTag, { params: { id: tag.id } });
      toastDone({
        title: 'Tag Deleted',
        message: `${tag.name} is deleted. Its contacts stay.${usesInWords(usedBy)}`,
        action: { label: 'Undo', onClick: () => bringBack(tag) },
        joins: true,
      });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to delete tag') });
    }
    await refreshContacts(queryClient);
  };
}
