import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { Tone } from '#platform/web/theme-colours.ts';
import type { Check, CheckName, SenderDomain, SenderRecord } from '../contract.ts';

/** What the subjects of the records and checks are called. */
export const names: Record<CheckName, string> = {
  dkim: 'DKIM',
  spf: 'SPF',
  dmarc: 'DMARC',
  mx: 'Replies',
  return_path: 'Bounces',
  tracking: 'Link host',
};

const states: Record<SenderDomain['state'], [string, Tone]> = {
  ready: ['Ready', 'success'],
  incomplete: ['Records missing', 'warning'],
  unchecked: ['Not checked yet', 'neutral'],
};

export function DomainState({ state }: Pick<SenderDomain, 'state'>) {
  const [label, tone] = states[state];
  return <StatusBadge status={state} label={label} tone={tone} />;
}

const results: Record<Check['result'], [string, Tone]> = {
  pass: ['Right', 'success'],
  warning: ['Look again', 'warning'],
  fail: ['Wrong', 'error'],
  unknown: ['Not known', 'neutral'],
};

export function CheckResult({ result }: Pick<Check, 'result'>) {
  const [label, tone] = results[result];
  return <StatusBadge status={result} label={label} tone={tone} />;
}

const recordStates: Record<SenderRecord['state'], [string, Tone]> = {
  found: ['Found', 'success'],
  differs: ['Differs', 'warning'],
  missing: ['Missing', 'warning'],
  unknown: ['Not read yet', 'neutral'],
};

export function RecordState({ state, isOptional }: Pick<SenderRecord, 'state' | 'isOptional'>) {
  const [label, tone] = recordStates[state];
  if (isOptional && state === 'missing')
    return <StatusBadge status={state} label="Optional" tone="neutral" />;
  return <StatusBadge status={state} label={label} tone={tone} />;
}

export function Holds({ holds }: { holds: boolean | null }) {
  if (holds === null) return <StatusBadge status="unknown" label="Not known" tone="neutral" />;
  return holds ? (
    <StatusBadge status="holds" label="Holds" tone="success" />
  ) : (
    <StatusBadge status="missing" label="Missing" tone="error" />
  );
}
