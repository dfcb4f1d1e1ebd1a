import { Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { deleteSender, listSenders, type SenderAddress } from '../contract.ts';
import { AddressDialog } from './address-dialog.tsx';
import { DomainState } from './marks.tsx';
import { domainsPath } from './paths.ts';
import classes from './senders.module.css';

type Asked = { what: 'new' } | { what: 'edit' | 'remove'; row: SenderAddress & { id: number } } | null;

/** The settings' card for sender addresses, with whether their domains are ready. */
export default function AddressesCard() {
  const { data, error } = useQuery(queryOptionsFor(listSenders));
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  return (
    <Card
      title="Sender addresses"
      hint="Whom your campaigns may come from"
      action={
        <MayEditButton
          takes="admin"
          why="Sender addresses need the admin role."
          variant="default"
          size="xs"
          flex="none"
          onClick={() => setAsked({ what: 'new' })}
        >
          Add address
        </MayEditButton>
      }
    >
      {error && <ErrorLine title="The sender addresses could not be loaded." error={error} />}
      {data?.items.length === 0 && <p className={classes.dim}>None yet. Fill in the sender first.</p>}
      <ul className={classes.rows}>
        {data?.items.map((row) => (
          <AddressRow key={row.id} row={row} onAsk={setAsked} />
        ))}
      </ul>
      {asked !== null && asked.what !== 'remove' && (
        <AddressDialog edited={asked.what === 'edit' ? asked.row : null} onClose={close} />
      )}
      {asked?.what === 'remove' && <RemoveAddressDialog row={asked.row} onClose={close} />}
    </Card>
  );
}

function AddressRow({ row, onAsk }: { row: SenderAddress; onAsk: (asked: Asked) => void }) {
  const { id, name, address, replyTo, domain } = row;
  const mayChange = useMay('admin');
  const to = domain.id === null ? domainsPath : `${domainsPath}/${domain.id}`;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <div className={classes.rowHead}>
          <span className={classes.rowTitle}>{name || address}</span>
          {id === null && <StatusBadge status="default" label="Default" tone="neutral" />}
          {domain.state === 'none' ? (
            <StatusBadge status="none" label="No sender domain" tone="warning" />
          ) : (
            <DomainState state={domain.state} />
          )}
        </div>
        {id !== null && mayChange && (
          <RowMenu label={`${name}, ${address}`}>
            {() => (
              <>
                <Menu.Item onClick={() => onAsk({ what: 'edit', row: { ...row, id } })}>Edit</Menu.Item>
                <Menu.Item data-danger onClick={() => onAsk({ what: 'remove', row: { ...row, id } })}>
                  Remove
                </Menu.Item>
              </>
            )}
          </RowMenu>
        )}
      </div>
      <div className={`${classes.dim} ${classes.found}`}>
        {address}
        {replyTo !== '' && `, replies to ${replyTo}`}
        {domain.state !== 'ready' && (
          <>
            {'. '}
            <TextLink to={to}>
              {domain.state === 'none' ? `Add ${domain.name} as a sender domain` : `See ${domain.name}`}
            </TextLink>
          </>
        )}
      </div>
    </li>
  );
}

function RemoveAddressDialog({ row, onClose }: { row: SenderAddress & { id: number }; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${row.address}`}
      confirmLabel="Remove address"
      onConfirm={async () => {
        await call(deleteSender, { params: { id: row.id } });
        await queryClient.invalidateQueries({ queryKey: [listSenders.path] });
        toastDone({ title: 'Address Removed', message: `New campaigns cannot choose ${row.address}.` });
      }}
    >
      <p>Campaigns that were written with it keep it.</p>
    </ConfirmDialog>
  );
}
