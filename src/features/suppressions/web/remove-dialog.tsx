import { Textarea } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { call, isRefusal, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorLine, Note } from '#platform/web/components/states.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  liftDomainSuppression,
  liftDomainSuppressions,
  liftEmailSuppression,
  liftEmailSuppressions,
  undoLifting,
} from '../contract.ts';
import type { Tab } from './suppressions-search.ts';
import { type Removal, type RemovalCount, useRemovalCount } from './use-removal-count.ts';
import { countOf, failures, liftingWarning, tellFailure } from './words.ts';

interface RemoveDialogProps {
  /** Null while the dialog is closed. */
  removal: Removal | null;
  onClose: () => void;
  onRemoved: () => void;
}

/**
 * Asks why an entry is taken off the list, warns if the person themselves asked to be on it, and
 * offers to put it back.
 */
export function RemoveDialog({ removal, onClose, onRemoved }: RemoveDialogProps) {
  const [why, setWhy] = useState('');
  const queryClient = useQueryClient();
  const undo = useUndo();
  const announce = (what: Removal, ended: Outcome<Lifted>) => {
    const { removed = 0, liftingId = null } = ended.body ?? {};
    const message =
      'name' in what.chosen
        ? `${what.chosen.name} may be mailed again.`
        : `${countOf(what.tab, removed)} taken off the list.`;
    const action =
      liftingId === null ? {} : { action: { label: 'Undo', onClick: () => void undo(liftingId) } };
    if (ended.status === 'failed')
      toastFailed({ ...failureOf(ended, { message: failures.remove }), ...action });
    else {
      const title = ended.status === 'cancelled' ? 'Removing Cancelled' : 'Suppression Removed';
      toastDone({ title, message, ...action });
    }
    void refreshContacts(queryClient);
  };
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: ({ what, reason }: { what: Removal; reason: string }) => begin(queryClient, what, reason),
    // For very many, only the start was awaited: the dialog closes, and the tray shows how far it
    // is.
    onSuccess: ({ outcome }, { what }) => {
      onRemoved();
      onClose();
      void outcome.then((ended) => announce(what, ended));
    },
    onError: (failure) => tellFailure(failure, failures.remove),
  });
  useEffect(() => {
    if (removal === null) return;
    setWhy('');
    reset();
  }, [removal, reset]);

  // The text stays while the dialog fades out.
  const last = useRef(removal);
  if (removal) last.current = removal;
  const shown = last.current;
  const counted = useRemovalCount(shown, removal !== null);
  if (!shown) return null;
  const one = 'name' in shown.chosen ? shown.chosen.name : null;
  const { amount, label } = labelled(shown.tab, counted);
  const warning = liftingWarning(shown.reasons, one === null && counted.count !== 1);
  const isReady = why.trim() !== '' && Boolean(counted.count);
  return (
    <FormDialog
      opened={removal !== null}
      onClose={onClose}
      title={one === null ? 'Remove these suppressions?' : 'Remove this suppression?'}
      submitLabel={one === null ? label : 'Remove suppression'}
      pendingLabel="Removing..."
      pending={isPending}
      isChanged={why.trim() !== ''}
      danger
      error={isRefusal(error) ? words(error) : null}
      submitDisabled={!isReady}
      onSubmit={() => isReady && removal && mutate({ what: removal, reason: why.trim() })}
    >
      <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
        <strong>{one ?? capitalised(amount)}</strong>
        {shown.tab === 'emails' || one === null
          ? ' may then be mailed again'
          : ' and its subdomains may then be mailed again'}
        {shown.tab === 'emails' ? ', and imports let them in.' : '.'}
      </p>
      {counted.error !== null && <ErrorLine title="The entries could not be counted" error={counted.error} />}
      {warning !== null && <Note title="Think twice">{warning}</Note>}
      <Textarea
        label="Reason"
        description="Kept in the audit log with your name."
        placeholder="Asked by phone on 3 May to be mailed again"
        value={why}
        rows={2}
        maxLength={1000}
        disabled={isPending}
        data-autofocus
        onChange={(event) => setWhy(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    </FormDialog>
  );
}

/** How many that is, and what the button for several says. */
function labelled(tab: Tab, { count, isEstimate, error }: RemovalCount): { amount: string; label: string } {
  if (count === undefined) return { amount: 'all that match', label: error ? 'Remove' : 'Counting…' };
  const amount = `${isEstimate ? 'about ' : ''}${countOf(tab, count)}`;
  return { amount, label: count === 0 ? 'Nothing to do' : `Remove ${amount}` };
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface Lifted {
  removed: number;
  liftingId: number | null;
}

/** Starts a removal. For a few entries the outcome is already there. */
async function begin(
  queryClient: QueryClient,
  { tab, chosen, reasons }: Removal,
  reason: string,
): Promise<{ outcome: Promise<Outcome<Lifted>> }> {
  if ('id' in chosen) {
    const params = { id: chosen.id };
    // What the dialog has warned of, or not.
    const [expected] = reasons;
    const body = await (tab === 'emails'
      ? call(liftEmailSuppression, { params, body: { reason, expected } })
      : call(liftDomainSuppression, { params, body: { reason } }));
    return { outcome: Promise.resolve({ status: 'completed', body }) };
  }
  const input = { body: { ...chosen, reason } };
  return tab === 'emails'
    ? startTask(queryClient, liftEmailSuppressions, input)
    : startTask(queryClient, liftDomainSuppressions, input);
}

/** Puts back what was just taken off. */
function useUndo(): (liftingId: number) => Promise<void> {
  const queryClient = useQueryClient();
  return async (liftingId) => {
    const failed = 'Failed to restore. Please try again.';
    try {
      const { outcome } = await startTask(queryClient, undoLifting, { params: { id: liftingId } });
      const ended = await outcome;
      const { status, body } = ended;
      if (status === 'failed') toastFailed(failureOf(ended, { message: failed }));
      else {
        toastDone({
          title: status === 'cancelled' ? 'Restoring Cancelled' : 'Suppression Restored',
          message: `${body?.restored === 1 ? 'The entry is' : `${formatNumber(body?.restored ?? 0)} entries are`} on the list again.`,
        });
      }
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, failed) });
    }
    void refreshContacts(queryClient);
  };
}
