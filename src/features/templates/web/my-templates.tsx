import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconCopy,
  IconEye,
  IconHistory,
  IconLayout,
  IconMailFast,
  IconPencil,
  IconPlus,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ListFilters } from '#platform/web/components/list-filters.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { EmptyState, ErrorState } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useMay } from '#platform/web/current-user.ts';
import type { Icon } from '#platform/web/feature.ts';
import { formatCount, formatFullDate, formatShortDate } from '#platform/web/format.ts';
import { usePages } from '#platform/web/list.ts';
import { firstPress } from '#platform/web/single-press.ts';
import { listTemplates, type TemplateSummary } from '../contract.ts';
import { categoryLabels, templateCategories } from '../rules/categories.ts';
import { preloadVisualEditor } from './editor/preload.ts';
import { Blocks } from './preset-templates.tsx';
import { deleteAndTell, duplicateAndTell, needsEditor } from './template-actions.ts';
import classes from './templates.module.css';
import type { ChangeTemplates, TemplatesState } from './templates-search.ts';
import { pageAddress, Thumbnail } from './thumbnail.tsx';

const pageSize = 12;

interface Props {
  state: TemplatesState;
  change: ChangeTemplates;
}

/** The workspace's own templates. */
export function MyTemplates({ state, change }: Props) {
  const { page, search, category } = state;
  const list = usePages(
    queryOptionsFor(listTemplates, {
      query: { page, limit: pageSize, content: 'false', search: search || undefined, category },
    }),
    { page, pageSize, onPage: (next) => change({ page: next }) },
  );
  const isNarrowed = search !== '' || category !== undefined;
  const { error } = list.state;
  const failed = Boolean(error) && list.rows === undefined;
  return (
    <>
      <Card title="My Templates">
        {(isNarrowed || (list.data?.totalCount ?? 0) > 0) && <Filters state={state} change={change} />}
        {failed ? (
          <ErrorState title="Your templates could not be loaded" error={error} />
        ) : list.rows?.length === 0 ? (
          <Nothing isNarrowed={isNarrowed} change={change} />
        ) : (
          <div className={classes.grid}>
            {list.rows?.map((one) => <Tile key={one.id} template={one} change={change} />) ?? <Blocks />}
          </div>
        )}
      </Card>
      {list.pages && (list.pages.total ?? 0) > pageSize && <TableFooter {...list.pages} />}
    </>
  );
}

const Filters = ({ state, change }: Props) => (
  <div className={classes.filters}>
    <ListFilters
      state={state}
      change={change}
      search={{ field: 'search', placeholder: 'Search templates' }}
      fields={[
        {
          key: 'category',
          label: 'Category',
          options: templateCategories.map((value) => ({ value, label: categoryLabels[value] })),
        },
      ]}
    />
  </div>
);

function Nothing({ isNarrowed, change }: { isNarrowed: boolean; change: ChangeTemplates }) {
  if (isNarrowed)
    return (
      <EmptyState
        icon={IconTemplate}
        title="No template matches"
        description="Change the search or the category."
      />
    );
  return (
    <EmptyState
      icon={IconTemplate}
      title="No templates yet"
      description="Create your first email template to get started"
      action={
        <MayEditButton
          variant="default"
          why={needsEditor}
          leftSection={<IconPlus size={16} stroke={1.6} />}
          onClick={() => change({ dialog: 'begin', use: undefined })}
        >
          Create Template
        </MayEditButton>
      }
    />
  );
}

function Tile({ template, change }: { template: TemplateSummary; change: ChangeTemplates }) {
  const { id, name, description, category, usageCount, updatedAt, updatedBy } = template;
  const preview = () => change({ preview: id });
  const changed = `Changed ${formatFullDate(updatedAt)}${updatedBy ? ` by ${updatedBy}` : ''}`;
  return (
    <article className={classes.tile} aria-label={name}>
      <Thumbnail name={name} source={{ src: pageAddress(template) }} onOpen={preview} />
      <div className={classes.words}>
        <h3 className={classes.name} title={name}>
          {name}
        </h3>
        {description && <p className={classes.description}>{description}</p>}
        <div className={classes.facts}>
          <WordBadge>{categoryLabels[category]}</WordBadge>
          <span>Used {formatCount(usageCount, 'time')}</span>
          <Tooltip label={changed}>
            <time dateTime={updatedAt}>{formatShortDate(updatedAt)}</time>
          </Tooltip>
        </div>
      </div>
      <TileButtons template={template} change={change} onPreview={preview} />
    </article>
  );
}

interface TileButtonsProps {
  template: TemplateSummary;
  change: ChangeTemplates;
  onPreview: () => void;
}

function TileButtons({ template, change, onPreview }: TileButtonsProps) {
  const queryClient = useQueryClient();
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const { id, name } = template;
  const open = () => void navigate({ to: '/templates/$id', params: { id: String(id) } });
  const send = () =>
    void navigate({ to: '/campaigns', search: { dialog: 'new', with: `template ${id}` } as never });
  return (
    <div className={classes.buttons}>
      <IconButton icon={IconEye} label={`Preview ${name}`} onClick={onPreview} />
      {mayEdit && (
        <>
          <IconButton
            icon={IconPencil}
            label={`Edit ${name}`}
            onClick={() => (template.mode === 'html' ? change({ edit: id }) : open())}
            {...(template.mode === 'visual' ? { onIntent: preloadVisualEditor } : {})}
          />
          <IconButton
            icon={IconTrash}
            label={`Delete ${name}`}
            onClick={firstPress(() => deleteAndTell(queryClient, template))}
          />
        </>
      )}
      <span className={classes.gap} />
      <RowMenu label={name}>
        {() => (
          <>
            {mayEdit && (
              <Menu.Item leftSection={<IconMailFast size={16} stroke={1.6} />} onClick={send}>
                Send as a campaign…
              </Menu.Item>
            )}
            {mayEdit && (
              <Menu.Item leftSection={<IconLayout size={16} stroke={1.6} />} onClick={open}>
                Open in the editor
              </Menu.Item>
            )}
            {mayEdit && (
              <Menu.Item
                leftSection={<IconCopy size={16} stroke={1.6} />}
                onClick={() => void duplicateAndTell(queryClient, template)}
              >
                Duplicate
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconHistory size={16} stroke={1.6} />}
              onClick={() => change({ versions: id })}
            >
              Versions
            </Menu.Item>
          </>
        )}
      </RowMenu>
    </div>
  );
}

interface IconButtonProps {
  icon: Icon;
  label: string;
  onClick: (event: MouseEvent) => void;
  /** The pointer or the focus is on it. */
  onIntent?: () => void;
}

const IconButton = ({ icon: ButtonIcon, label, onClick, onIntent }: IconButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="default"
      size={28}
      aria-label={label}
      onClick={onClick}
      onPointerEnter={onIntent}
      onFocus={onIntent}
    >
      <ButtonIcon size={16} stroke={1.6} />
    </ActionIcon>
  </Tooltip>
);
