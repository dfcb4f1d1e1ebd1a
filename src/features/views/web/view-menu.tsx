import { Button, Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBookmark,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconHome,
  IconHomeOff,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '#platform/web/current-user.ts';
import type { View } from '../contract.ts';
import { sameState } from '../rules.ts';
import { deleteAndTell, saveChanges } from './keep-view.ts';
import { mayChange, needsEditorToShare, useViews } from './use-views.ts';
import classes from './view-menu.module.css';
import type { ViewPartProps } from './view-place.ts';
import { useVersionSeen } from './view-version.ts';

const icon = { size: 16, stroke: 1.6 };

/**
 * The button with the name of the open view. Leads to the other views and to what can be done with
 * it.
 */
export function ViewMenu({ place, onAsk }: ViewPartProps) {
  const { query, views = [], choices } = useViews(place.screen);
  const { open } = place;
  useVersionSeen(place);
  const isChanged = open !== undefined && !sameState(open.state, place.state);
  const name = open?.name ?? place.allLabel;
  const groups = [
    { label: 'Yours', items: views.filter(({ shared }) => !shared) },
    { label: 'Shared', items: views.filter(({ shared }) => shared) },
  ];
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.button}
          aria-label={`View: ${name}${isChanged ? ', changed' : ''}`}
          leftSection={<IconBookmark size={14} stroke={1.6} />}
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
        >
          <span className={classes.name}>{name}</span>
          {isChanged && <span className={classes.changed}>changed</span>}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <div className={classes.views}>
          <Choice label={place.allLabel} isOpen={open === undefined} onClick={place.onAll} />
          {query.isError && views.length === 0 && (
            <>
              <Menu.Label>The saved views could not be loaded.</Menu.Label>
              <Menu.Item
                closeMenuOnClick={false}
                leftSection={<IconRefresh {...icon} />}
                onClick={() => void query.refetch()}
              >
                Try again
              </Menu.Item>
            </>
          )}
          {groups.map(
            ({ label, items }) =>
              items.length > 0 && (
                <div key={label}>
                  <Menu.Label>{label}</Menu.Label>
                  {items.map((view) => (
                    <div key={view.id}>
                      <Choice
                        label={view.name}
                        isOpen={view.id === open?.id}
                        isFirst={view.id === choices?.defaultId}
                        problem={view.problem}
                        onClick={() => place.onOpen(view)}
                      />
                      {view.problem !== null && <DeleteUnread view={view} place={place} />}
                    </div>
                  ))}
                </div>
              ),
          )}
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => onAsk('new')}>
          Save as a new view…
        </Menu.Item>
        {place.more}
        {open && <OpenViewItems open={open} isChanged={isChanged} place={place} onAsk={onAsk} />}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps {
  label: string;
  isOpen: boolean;
  isFirst?: boolean;
  /** Why it cannot be opened. Null when it can. */
  problem?: string | null;
  onClick: () => void;
}

/** One view to open. */
function Choice({ label, isOpen, isFirst = false, problem = null, onClick }: ChoiceProps) {
  const note = problem === null ? isFirst && 'opens first' : 'made by a newer version';
  return (
    <Menu.Item
      aria-current={isOpen || undefined}
      classNames={{ itemLabel: classes.choice }}
      title={problem ?? label}
      disabled={problem !== null}
      leftSection={isOpen ? <IconCheck {...icon} aria-hidden /> : <span className={classes.noMark} />}
      rightSection={note && <span className={classes.first}>{note}</span>}
      onClick={onClick}
    >
      {label}
    </Menu.Item>
  );
}

/** All that can be done with a view that cannot be opened. */
function DeleteUnread({ view, place }: { view: View; place: ViewPartProps['place'] }) {
  const queryClient = useQueryClient();
  if (!mayChange(view, useMay('editor'))) return null;
  return (
    <Menu.Item
      data-danger
      leftSection={<IconTrash {...icon} />}
      onClick={() => void deleteAndTell(queryClient, view, place)}
    >
      Delete “{view.name}”
    </Menu.Item>
  );
}

/** What can be done with the open view. */
function OpenViewItems({
  open,
  isChanged,
  place,
  onAsk,
}: ViewPartProps & { open: View; isChanged: boolean }) {
  const queryClient = useQueryClient();
  const { choices, choose } = useViews(place.screen);
  const may = mayChange(open, useMay('editor'));
  const isFirst = choices?.defaultId === open.id;
  return (
    <>
      {isChanged && may && (
        <Menu.Item
          leftSection={<IconDeviceFloppy {...icon} />}
          onClick={() => void saveChanges(queryClient, open, { place, onAsk })}
        >
          Save changes
        </Menu.Item>
      )}
      {isChanged && (
        <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => place.onOpen(open)}>
          Show it as it was saved
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={isFirst ? <IconHomeOff {...icon} /> : <IconHome {...icon} />}
        onClick={() => choose({ defaultId: isFirst ? null : open.id })}
      >
        {isFirst ? 'Do not open it first' : 'Open it first'}
      </Menu.Item>
      {may ? (
        <>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onAsk(open)}>
            Rename or share…
          </Menu.Item>
          <Menu.Item
            data-danger
            leftSection={<IconTrash {...icon} />}
            onClick={() => void deleteAndTell(queryClient, open, place)}
          >
            Delete view
          </Menu.Item>
        </>
      ) : (
        <Menu.Label>{needsEditorToShare}</Menu.Label>
      )}
    </>
  );
}
