import { Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconMinus,
  IconShieldCheck,
  IconShieldExclamation,
  IconShieldQuestion,
  IconShieldX,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Verdict } from '#features/addresses/rules.ts';
import type { Contact } from '#features/contacts/contract.ts';
import { verdictLabels, verdictTones } from '#features/contacts/web/index.ts';
import { type ContactEvidence, contactEvidence } from '#features/verification/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { TextButton, TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import { useMay } from '#platform/web/current-user.ts';
import type { Icon } from '#platform/web/feature.ts';
import { formatWhen } from '#platform/web/format.ts';
import classes from './contact-verdict.module.css';
import { type Check, checksOf, type Mark } from './verdict-checks.ts';

const verdictIcons: Record<Verdict, Icon> = {
  valid: IconShieldCheck,
  risky: IconShieldExclamation,
  invalid: IconShieldX,
  unknown: IconShieldQuestion,
};

interface ContactVerdictProps {
  contact: Contact;
  /** Never rejects; neither does the next. */
  onVerify: (contact: Contact) => Promise<void>;
  onUseSuggestion: (contact: Contact) => Promise<void>;
  correcting: ReadonlySet<number>;
}

/** The verdict on a contact's address with its reasons, or the offer to make one. */
export function ContactVerdict({ contact, onVerify, onUseSuggestion, correcting }: ContactVerdictProps) {
  const { id, verification } = contact;
  const mayEdit = useMay('editor');
  if (!verification) {
    return (
      <section className={classes.verdict} aria-label="Verdict">
        <div className={classes.head}>
          <span className={classes.dim}>Not verified yet</span>
          {mayEdit && (
            <AsyncButton
              size="xs"
              variant="default"
              leftSection={<IconShieldCheck size={14} stroke={1.6} />}
              onClick={() => onVerify(contact)}
            >
              Verify
            </AsyncButton>
          )}
        </div>
      </section>
    );
  }
  return (
    <section className={classes.verdict} aria-label="Verdict">
      <VerdictHead {...verification} />
      <Grounds
        id={id}
        suggestion={verification.suggestion}
        onUseSuggestion={mayEdit ? () => void onUseSuggestion(contact) : undefined}
        isCorrecting={correcting.has(id)}
      />
    </section>
  );
}

function VerdictHead({ verdict, risk, checkedAt }: NonNullable<Contact['verification']>) {
  const VerdictIcon = verdictIcons[verdict];
  return (
    <div className={classes.head} data-tone={verdictTones[verdict]}>
      <span className={classes.tile} aria-hidden>
        <VerdictIcon size={18} stroke={1.6} />
      </span>
      <div className={classes.words}>
        <p className={classes.word}>{verdictLabels[verdict]}</p>
        <p className={classes.dim}>Checked {formatWhen(checkedAt)}</p>
      </div>
      <div className={classes.risk}>
        <p className={classes.riskLine}>
          <span>Risk</span>{' '}
          <span>
            <strong>{risk}</strong> of 100
          </span>
        </p>
        <span className={classes.track} aria-hidden>
          <span className={classes.share} style={{ width: `${risk}%` }} />
        </span>
      </div>
    </div>
  );
}

interface GroundsProps {
  id: number;
  /** The address after a correction. Also null when somebody has dismissed it. */
  suggestion: string | null;
  /** Undefined for people who may not do it. */
  onUseSuggestion: (() => void) | undefined;
  isCorrecting: boolean;
}

/** What the verdict is based on: the checks and their results. */
function Grounds({ id, suggestion, onUseSuggestion, isCorrecting }: GroundsProps) {
  const { data, error, isPending } = useQuery(queryOptionsFor(contactEvidence, { params: { id } }));
  const late = useLate(isPending);
  if (isPending) {
    return (
      <div className={classes.checks} role="status" aria-label="Loading">
        {[70, 75, 80, 65].map((width) => (
          <div key={width} className={classes.waiting}>
            {late && <Skeleton height={10} width={`${width}%`} />}
          </div>
        ))}
      </div>
    );
  }
  if (!data) {
    return (
      <div className={classes.note}>
        <ErrorLine title="The grounds could not be loaded." error={error} />
      </div>
    );
  }
  return (
    <>
      <ul className={classes.checks}>
        {checksOf(data).map((check) => (
          <CheckRow key={check.key} check={check}>
            {check.suggestion !== null &&
              check.suggestion === suggestion &&
              (onUseSuggestion ? (
                <TextButton onClick={onUseSuggestion} disabled={isCorrecting}>
                  Use the suggestion
                </TextButton>
              ) : (
                <TextLink to="/review">Review corrections</TextLink>
              ))}
          </CheckRow>
        ))}
      </ul>
      {!data.isStored && <Changed {...data} />}
    </>
  );
}

const Changed = ({ verdict, risk }: ContactEvidence) => (
  <p className={classes.note}>
    Settings or lists have changed since. By today’s the verdict would be{' '}
    {verdictLabels[verdict].toLowerCase()}, risk {risk}.
  </p>
);

const marks: Record<Mark, { icon: Icon; words: string }> = {
  good: { icon: IconCheck, words: 'Good' },
  warning: { icon: IconAlertTriangle, words: 'Warning' },
  bad: { icon: IconX, words: 'Bad' },
  unmeasured: { icon: IconMinus, words: 'Not measured' },
};

function CheckRow({ check, children }: { check: Check; children: React.ReactNode }) {
  const { label, mark, finding, points, seen, lookedUpAt } = check;
  const { icon: MarkIcon, words: said } = marks[mark];
  return (
    <li className={classes.check} data-mark={mark}>
      <span className={classes.mark} role="img" aria-label={said}>
        <MarkIcon size={14} stroke={1.8} aria-hidden />
      </span>
      <span className={classes.label}>{label}</span>
      <span className={classes.finding}>{finding}</span>
      {points > 0 && (
        <span className={classes.points} title="Points of risk">
          +{points}
        </span>
      )}
      <div className={classes.more}>
        {seen !== null && <p className={classes.dim}>{seen}</p>}
        {lookedUpAt !== null && <p className={classes.dim}>Looked up {formatWhen(lookedUpAt)}</p>}
        {children}
      </div>
    </li>
  );
}
