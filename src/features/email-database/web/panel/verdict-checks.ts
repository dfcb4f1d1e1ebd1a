import type { VerdictReason } from '#features/addresses/rules.ts';
import { kindLabels, reasonLabels } from '#features/contacts/web/index.ts';
import type { ContactEvidence } from '#features/verification/contract.ts';

/**
 * The result of a check. `unmeasured` means that nobody looked, or that there was nothing to look
 * at.
 */
export type Mark = 'good' | 'warning' | 'bad' | 'unmeasured';

export interface Check {
  key: string;
  label: string;
  mark: Mark;
  finding: string;
  /** What it adds to the risk. */
  points: number;
  /** What was seen, if the finding does not already say it. */
  seen: string | null;
  /** When name servers were asked, if they were. */
  lookedUpAt: string | null;
  /** The address that was probably meant, if the check found one. */
  suggestion: string | null;
}

/**
 * The checks that every address goes through, and the reasons that belong to each. Every other
 * reason has its own row.
 */
const groups = ['syntax', 'server', 'kind', 'typing'] as const;
type Group = (typeof groups)[number];

const groupLabels: Record<Group, string> = {
  syntax: 'Syntax',
  server: 'Mail server',
  kind: 'Mailbox kind',
  typing: 'Typing',
};

const groupOf: Partial<Record<VerdictReason, Group>> = {
  syntax: 'syntax',
  not_strict: 'syntax',
  no_such_tld: 'syntax',
  reserved_tld: 'syntax',
  no_such_domain: 'server',
  no_mail_server: 'server',
  null_mx: 'server',
  no_mx_record: 'server',
  not_measured: 'server',
  disposable: 'kind',
  role_technical: 'kind',
  role: 'kind',
  typo_suspected: 'typing',
};

type Seen = ContactEvidence['evidence'][number];

/**
 * What was checked and the results: a row for each of the four checks, with its reasons in its
 * place, and a row for each further reason.
 */
export function checksOf(evidence: ContactEvidence): Check[] {
  const rows = groups.flatMap((group) => {
    const found = evidence.evidence.filter(({ reason }) => groupOf[reason] === group);
    if (found.length === 0) return [passed(group, evidence)];
    return found.map((one, place) =>
      reasonRow(one, place === 0 ? groupLabels[group] : reasonLabels[one.reason], evidence),
    );
  });
  const others = evidence.evidence.filter(({ reason }) => groupOf[reason] === undefined);
  const label = (reason: VerdictReason) => (reason === 'repaired' ? 'As given' : reasonLabels[reason]);
  return [...rows, ...others.map((one) => reasonRow(one, label(one.reason), evidence))];
}

/** A check without a reason against the address. */
function passed(group: Group, { address, kind, rfcValid, mailServer }: ContactEvidence): Check {
  // An address that the rules refuse has no kind, because they stop looking there.
  const isRefused = kind === null;
  const row = (mark: Mark, finding: string, lookedUpAt: string | null = null): Check => ({
    key: group,
    label: groupLabels[group],
    mark,
    finding,
    points: 0,
    seen: null,
    lookedUpAt,
    suggestion: null,
  });
  switch (group) {
    case 'syntax':
      if (!isRefused) return row('good', `Well formed, .${endingOf(address)} exists`);
      return rfcValid ? row('good', 'Well formed') : row('bad', 'Not well formed');
    case 'server':
      if (mailServer === null) return row('unmeasured', 'Not looked up');
      return row('good', 'Found, by its MX record', mailServer.checkedAt);
    case 'kind':
      return isRefused ? row('unmeasured', 'Not known') : row('good', `${kindLabels[kind]}, not a role`);
    case 'typing':
      return isRefused ? row('unmeasured', 'No likely correction') : row('good', 'No typo suspected');
  }
}

function reasonRow(one: Seen, label: string, evidence: ContactEvidence): Check {
  const points = evidence.factors.find(({ reason }) => reason === one.reason)?.points ?? 0;
  const suggestion = one.reason === 'typo_suspected' ? evidence.suggestion : null;
  const mark =
    points >= 100 ? 'bad' : points > 0 ? 'warning' : one.reason === 'repaired' ? 'good' : 'unmeasured';
  return {
    key: one.reason,
    label,
    mark,
    finding: findingOf(one, evidence),
    points,
    // A mended address has nothing to show but the correction itself.
    seen: suggestion !== null && one.text.endsWith(`meant: ${suggestion}`) ? null : one.text,
    lookedUpAt: groupOf[one.reason] === 'server' ? one.checkedAt : null,
    suggestion,
  };
}

function findingOf({ reason, words }: Seen, { address, kind, suggestion }: ContactEvidence): string {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  // What other kind of mailbox it is. A plain role address has no other kind.
  const besides = kind === null || kind === 'role' || kind === 'disposable' ? '' : `${kindLabels[kind]}, `;
  if (reason === 'role') return sentence(`${besides}role: ${local}`);
  if (reason === 'role_technical') return sentence(`${besides}technical role: ${local}`);
  if (reason === 'disposable') return kindLabels.disposable;
  if (reason === 'typo_suspected' && suggestion !== null) return `Probably meant ${suggestion}`;
  return words;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const endingOf = (address: string): string => address.slice(address.lastIndexOf('.') + 1).toLowerCase();
