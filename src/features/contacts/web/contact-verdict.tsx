import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { contactEvidence } from '#features/verification/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { TextLink } from '#platform/web/components/links.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatWhen } from '#platform/web/format.ts';
import type { Contact } from '../contract.ts';
import classes from './contact-verdict.module.css';
import { kindLabels, verdictLabels, verdictTones } from './contact-words.ts';
import { useMayEdit } from './permissions.ts';
import { useVerify } from './use-verify.ts';

/** The verdict on a contact's address with its grounds, or the offer to make one. */
export function ContactVerdict({ contact }: { contact: Contact }) {
  const { id, verification } = contact;
  const { data } = useQuery({
    ...queryOptionsFor(contactEvidence, { params: { id } }),
    enabled: verification !== null,
  });
  const verify = useVerify();
  const mayEdit = useMayEdit();
  const again = mayEdit && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconShieldCheck size={14} stroke={1.6} />}
      onClick={() => void verify({ ids: [id] })}
    >
      {verification ? 'Verify again' : 'Verify'}
    </Button>
  );
  if (!verification) {
    return (
      <section className={classes.verdict} aria-label="Verdict">
        <div className={classes.head}>
          <span className={classes.dim}>Not verified yet</span>
          {again}
        </div>
      </section>
    );
  }
  const { verdict, risk, kind, suggestion, checkedAt } = verification;
  return (
    <section className={classes.verdict} aria-label="Verdict">
      <div className={classes.head}>
        <StatusBadge status={verdict} label={verdictLabels[verdict]} tone={verdictTones[verdict]} />
        <span className={classes.risk}>Risk {risk} of 100</span>
        {again}
      </div>
      {suggestion !== null && (
        <p className={classes.suggestion}>
          Probably meant: <strong>{suggestion}</strong>. <TextLink to="/review">Review corrections</TextLink>
        </p>
      )}
      {data && data.evidence.length > 0 && (
        <ul className={classes.reasons}>
          {data.evidence.map(({ reason, words, text, checkedAt: at }) => {
            const points = data.factors.find((factor) => factor.reason === reason)?.points ?? 0;
            return (
              <li key={reason}>
                <span className={classes.reason}>
                  {words}
                  {points > 0 && <span className={classes.points}>+{points}</span>}
                </span>
                <span className={classes.dim}>
                  {text} · {formatWhen(at)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {data && !data.isStored && (
        <p className={classes.dim}>
          Settings or lists have changed since. By today’s the verdict would be{' '}
          {verdictLabels[data.verdict].toLowerCase()}, risk {data.risk}.
        </p>
      )}
      <p className={classes.dim}>
        {kind === null ? '' : `${kindLabels[kind]} · `}Verified {formatWhen(checkedAt)}
      </p>
    </section>
  );
}
