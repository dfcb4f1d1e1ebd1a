import { ActionIcon, Button, CopyButton, DataList, Skeleton, Tooltip } from '@mantine/core';
import { IconBan, IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { ContactBasis } from '#features/basis/web/index.ts';
import { type Contact, getContact } from '#features/contacts/contract.ts';
import { needsEditor, ukClassLabels, ukClassReason } from '#features/contacts/web/index.ts';
import { getImport } from '#features/imports/contract.ts';
import { type ApiError, queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LinkButton, TextLink } from '#platform/web/components/links.tsx';
import { RecordPanel } from '#platform/web/components/record-panel.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { TagMarks } from '#platform/web/components/tag-marks.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatFullDate } from '#platform/web/format.ts';
import type { ContactActions } from '../contact-actions.ts';
import { ContactDetails } from './contact-details.tsx';
import classes from './contact-panel.module.css';
import { ContactTimeline } from './contact-timeline.tsx';
import { ContactVerdict } from './contact-verdict.tsx';
import { ExtraFields } from './extra-fields.tsx';
import { LeftBehind } from './left-behind.tsx';
import { SuppressionNote } from './suppression-note.tsx';

interface ContactPanelProps extends ContactActions {
  /** Undefined while the panel is closed. */
  id: number | undefined;
  /** The contact as the table shows it, until it has been read separately. */
  fromTable: Contact | undefined;
  /** "7 of 1,204,331". Undefined when it is not on the table's page. */
  position: string | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  menu: (contact: Contact) => ReactNode;
}

/** Everything known about one contact, beside the table. */
export function ContactPanel(props: ContactPanelProps) {
  const { id, fromTable, position, menu } = props;
  const read = useQuery({
    ...queryOptionsFor(getContact, { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
    ...(fromTable ? { placeholderData: fromTable } : {}),
  });
  // What was read before stays in the cache after the contact has gone.
  const isGone = read.error?.status === 404;
  const contact = id === undefined || isGone ? undefined : read.data;
  return (
    <RecordPanel
      opened={id !== undefined}
      onClose={props.onClose}
      label={contact?.address ?? 'Contact'}
      {...(position === undefined ? {} : { position })}
      onPrevious={props.onPrevious}
      onNext={props.onNext}
      menu={contact && <RowMenu label={contact.address}>{() => menu(contact)}</RowMenu>}
      actions={contact && <PanelActions {...props} contact={contact} />}
    >
      {contact ? (
        <ContactFacts {...props} contact={contact} />
      ) : read.isError ? (
        <>
          <Unread error={read.error} onRetry={() => void read.refetch()} />
          {id !== undefined && isGone && <LeftBehind id={id} />}
        </>
      ) : (
        <Skeletons />
      )}
    </RecordPanel>
  );
}

function PanelActions({ contact, ...actions }: ContactActions & { contact: Contact }) {
  if (!useMay('editor')) return <span className={classes.why}>{needsEditor}</span>;
  const suppressed = contact.status === 'suppressed';
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBan size={16} stroke={1.6} />}
        disabled={suppressed}
        onClick={() => void actions.onSuppress(contact)}
      >
        {suppressed ? 'Suppressed' : 'Suppress'}
      </Button>
      {contact.verification && (
        <AsyncButton variant="default" onClick={() => actions.onVerify(contact)}>
          Verify again
        </AsyncButton>
      )}
      <Button variant="subtle" color="red" onClick={() => actions.onDelete(contact)}>
        Delete
      </Button>
    </>
  );
}

const Unread = ({ error, onRetry }: { error: ApiError; onRetry: () => void }) =>
  error.status === 404 ? (
    <ErrorState
      title="This contact is not there any more"
      description="It was removed, or the link is not whole."
      action={
        <LinkButton to="/email-database" variant="default">
          Show all contacts
        </LinkButton>
      }
    />
  ) : (
    <ErrorState title="This contact could not be shown" error={error} onRetry={onRetry} />
  );

const Skeletons = () => (
  <div style={{ display: 'grid', gap: 20 }} role="status" aria-label="Loading">
    {['70%', '40%', '90%', '60%', '80%'].map((width) => (
      <Skeleton key={width} height={10} width={width} />
    ))}
  </div>
);

function ContactFacts({ contact, ...actions }: ContactActions & { contact: Contact }) {
  const { id, address, status, name, source, date, createdAt, importId } = contact;
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.address}>{address}</h2>
        <CopyAddress address={address} />
      </div>
      <div className={classes.under}>
        {name && <span>{name}</span>}
        <StatusBadge status={status} />
      </div>
      {status === 'suppressed' && (
        <div className={classes.note}>
          <SuppressionNote contact={contact} />
        </div>
      )}
      <ContactVerdict key={id} contact={contact} {...actions} />
      <ContactDetails key={`details ${id}`} contact={contact} />
      <DataList labelWidth={104} gap={8} className={classes.facts}>
        <Fact label="UK class">
          {ukClassLabels[contact.ukClass]} <span className={classes.why}>{ukClassReason(contact)}</span>
        </Fact>
        <Fact label="Marketing">
          <ContactBasis key={id} contact={contact} />
        </Fact>
        {contact.tags.length > 0 && (
          <Fact label="Tags">
            <TagMarks tags={contact.tags} wraps />
          </Fact>
        )}
        {contact.lists.length > 0 && (
          <Fact label="Lists">
            {contact.lists.map((list, index) => (
              <Fragment key={list.id}>
                {index > 0 && ', '}
                <TextLink to="/email-database" search={{ list: list.id }}>
                  {list.name}
                </TextLink>
              </Fragment>
            ))}
          </Fact>
        )}
        <Fact label="Domain">{contact.domain}</Fact>
        <Fact label="Source">{source}</Fact>
        <Fact label="Date">{date}</Fact>
        <Fact label="Added">{formatFullDate(createdAt)}</Fact>
        <Fact label="Import">{importId === null ? 'Added by hand' : <ImportLink id={importId} />}</Fact>
      </DataList>
      <ExtraFields key={`extra ${id}`} contact={contact} />
      <ContactTimeline id={id} />
    </>
  );
}

/** One known fact. Renders nothing when it is not known. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null || children === '') return null;
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

/** The file a contact came from, or just the import's number when the import cannot be read. */
function ImportLink({ id }: { id: number }) {
  const { data, isPending } = useQuery(queryOptionsFor(getImport, { params: { id } }));
  if (isPending) return <Skeleton height={10} width={140} mt={5} />;
  return <TextLink to={`/imports/${id}`}>{data?.fileName ?? `Import ${id}`}</TextLink>;
}

function CopyAddress({ address }: { address: string }) {
  return (
    <CopyButton value={address} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy address'}>
          <ActionIcon size={24} aria-label={copied ? 'Copied' : 'Copy address'} onClick={copy}>
            {copied ? <IconCheck size={14} stroke={1.8} /> : <IconCopy size={14} stroke={1.6} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
