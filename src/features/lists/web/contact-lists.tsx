import { ActionIcon, Tooltip } from '@mantine/core';
import { IconEye, IconListDetails, IconPencil, IconTrash } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { ListTable } from '#platform/web/components/list-page.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber, formatWhen } from '#platform/web/format.ts';
import { firstPress } from '#platform/web/single-press.ts';
import { getList, type List } from '../contract.ts';
import { Described } from './described.tsx';
import classes from './lists-page.module.css';

interface ContactListsProps {
  lists: UseQueryResult<List[]>;
  onNew: () => void;
  onView: (id: number) => void;
  onEdit: (id: number) => void;
  onRemove: (list: List) => void;
}

/** Every list, with what can be done with it. */
export function ContactLists({ lists, onNew, onView, onEdit, onRemove }: ContactListsProps) {
  const mayEdit = useMay('editor');
  const columns = useMemo(
    () => columnsWith({ mayEdit, onView, onEdit, onRemove }),
    [mayEdit, onView, onEdit, onRemove],
  );
  return (
    <ListTable
      card={{ title: 'Contact lists' }}
      list={{ rows: lists.data, state: lists }}
      words={{
        label: 'Contact lists',
        errorTitle: 'The lists could not be loaded',
        empty: {
          icon: IconListDetails,
          title: 'No lists yet',
          description: 'A list holds the contacts that you write to together: customers, members, donors.',
          action: (
            <MayEditButton why="Lists need the editor role." onClick={onNew}>
              Create your first list
            </MayEditButton>
          ),
        },
      }}
      columns={columns}
      phone={onPhone}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      onOpen={({ id }) => onView(id)}
      expectedRows={5}
    />
  );
}

interface Actions {
  mayEdit: boolean;
  onView: (id: number) => void;
  onEdit: (id: number) => void;
  onRemove: (list: List) => void;
}

const columnsWith = (actions: Actions): Column<List>[] => [
  { key: 'name', head: 'Name', width: '38%', tone: 'strong', cell: (list) => <NameOf {...list} /> },
  { key: 'description', head: 'Description', tone: 'dim', cell: (list) => <Described {...list} /> },
  { key: 'contacts', head: 'Contacts', width: 92, numeric: true, cell: (list) => <ContactsOf {...list} /> },
  {
    key: 'created',
    head: 'Created',
    width: 92,
    numeric: true,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
  {
    key: 'actions',
    head: <span className={classes.unseen}>Actions</span>,
    width: 112,
    cell: (list) => <RowActions list={list} {...actions} />,
  },
];

const NameOf = ({ name, isDynamic, isPublic }: List) => (
  <span className={classes.name}>
    <span className={classes.cut} title={name}>
      {name}
    </span>
    {isDynamic && <WordBadge>Dynamic</WordBadge>}
    {isPublic && <WordBadge>Public</WordBadge>}
  </span>
);

const ContactsOf = (list: List) => (list.isDynamic ? <ByRules {...list} /> : <Contacts {...list} />);

/** With the age of the count. Where the rules cannot be read, an older count would mislead. */
function ByRules(list: List) {
  const { id, countedAt } = list;
  const { data } = useQuery({ ...queryOptionsFor(getList, { params: { id } }), enabled: false });
  if (data?.problem) return <span className={classes.dim}>–</span>;
  if (countedAt === null) return <span className={classes.dim}>Counting…</span>;
  return (
    <Tooltip label={`Counted ${formatWhen(countedAt)}`}>
      <span>
        <Contacts {...list} />
      </span>
    </Tooltip>
  );
}

const Contacts = ({ id, name, contactCount }: List) =>
  contactCount === 0 ? (
    '0'
  ) : (
    <TextLink
      to="/email-database"
      search={{ list: id }}
      label={`${formatCount(contactCount, 'contact')} on ${name}`}
    >
      {formatNumber(contactCount)}
    </TextLink>
  );

function RowActions({ list, mayEdit, onView, onEdit, onRemove }: Actions & { list: List }) {
  const offered = [
    { label: `View ${list.name}`, icon: IconEye, press: () => onView(list.id) },
    ...(mayEdit
      ? [
          { label: `Edit ${list.name}`, icon: IconPencil, press: () => onEdit(list.id) },
          { label: `Delete ${list.name}`, icon: IconTrash, press: () => onRemove(list) },
        ]
      : []),
  ];
  return (
    <span className={classes.actions}>
      {offered.map(({ label, icon: Icon, press }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={label}
            onClick={(event) => {
              event.stopPropagation();
              firstPress(press)(event);
            }}
          >
            <Icon size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  );
}

const onPhone = (list: List): PhoneRow => ({
  title: list.name,
  aside: <DateText value={list.createdAt} />,
  second: `${formatCount(list.contactCount, 'contact')}${list.isDynamic ? ', dynamic' : ''}${list.isPublic ? ', public' : ''}`,
});
