import type { MessageState } from '../contract.ts';

export const stateLabels: Record<MessageState, string> = {
  pending: 'Waiting',
  sent: 'Sent',
  deferred: 'Tried again later',
  failed: 'Failed',
  skipped: 'Not sent',
  uncertain: 'Uncertain',
};
