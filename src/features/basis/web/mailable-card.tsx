import { Button, Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Basis, bases } from '#features/contacts/contract.ts';
import { call, isChangedMeanwhile, queryKeyOf, queryOptionsFor, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { AwayLink, TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine, Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type BasisSettings, changeBasisSettings, getBasisSettings } from '../contract.ts';
import { basisHints, basisLabels } from '../rules.ts';
import classes from './basis.module.css';

const guidance =
  'https://ico.org.uk/for-organisations/direct-marketing-and-privacy-and-electronic-communications/guidance-on-direct-marketing-using-electronic-mail/';

/** The settings' card for the marketing bases that may be mailed. */
export default function MailableCard() {
  const { data, error } = useQuery(queryOptionsFor(getBasisSettings));
  return (
    <Card title="Whom you may mail" hint="Campaigns leave out everybody else, also while they are being sent">
      {error && !data && <ErrorLine title="Whom you may mail could not be loaded." error={error} />}
      {data && <MailableForm saved={data} />}
    </Card>
  );
}

function MailableForm({ saved }: { saved: BasisSettings }) {
  const queryClient = useQueryClient();
  const mayEdit = useMay('admin');
  /** What is ticked, and what held when the first of it was. */
  const [edited, setEdited] = useState<{ mailable: Basis[]; seen: Basis[] } | null>(null);
  const [pending, setPending] = useState(false);
  const { mailable, seen } = edited ?? { mailable: saved.mailable, seen: saved.mailable };
  const isDirty = bases.some((basis) => mailable.includes(basis) !== saved.mailable.includes(basis));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty || pending) return;
    setPending(true);
    try {
      const after = await call(changeBasisSettings, { body: { mailable, expected: seen } });
      showNewer(queryClient, queryKeyOf(getBasisSettings), after);
      setEdited(null);
      toastDone({ title: 'Settings Updated', message: 'Whom you may mail was saved.' });
    } catch (failure) {
      if (isChangedMeanwhile(failure)) {
        // What was ticked goes: shown beside what holds now, it would look as if it were saved.
        setEdited(null);
        void queryClient.invalidateQueries({ queryKey: queryKeyOf(getBasisSettings) });
      }
      toastFailed({
        title: 'Update Failed',
        message: words(failure, 'There was an error updating your settings. Please try again.'),
      });
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} noValidate className={classes.form}>
      <Checkbox.Group
        label="Marketing bases that campaigns go to"
        value={mailable}
        onChange={(chosen) => setEdited({ mailable: bases.filter((basis) => chosen.includes(basis)), seen })}
      >
        <div className={classes.bases}>
          {bases.map((basis) => (
            <div key={basis} className={classes.basis}>
              <Checkbox
                value={basis}
                label={basisLabels[basis]}
                description={basisHints[basis]}
                disabled={!mayEdit}
              />
              <TextLink
                to="/email-database"
                search={{ basis: [basis] }}
                label={`Show ${formatCount(saved.contacts[basis] ?? 0, 'contact')}: ${basisLabels[basis].toLowerCase()}`}
              >
                {formatCount(saved.contacts[basis] ?? 0, 'contact')}
              </TextLink>
            </div>
          ))}
        </div>
      </Checkbox.Group>
      <Rules mailable={mailable} />
      {mayEdit && (
        <div className={classes.buttons}>
          <Button
            variant="subtle"
            color="gray"
            disabled={!isDirty || pending}
            onClick={() => setEdited(null)}
          >
            Discard
          </Button>
          <Button
            type="submit"
            variant={isDirty ? 'filled' : 'default'}
            disabled={!isDirty}
            loading={pending}
          >
            Save whom you may mail
          </Button>
        </div>
      )}
    </form>
  );
}

/** What the law asks, in plain words. */
function Rules({ mailable }: { mailable: readonly Basis[] }) {
  const risky = (['unknown', 'none'] as const).filter((basis) => mailable.includes(basis));
  return (
    <Note
      tone={risky.length > 0 ? 'warning' : 'info'}
      title={
        risky.includes('none')
          ? 'Contacts without a basis would be mailed'
          : risky.includes('unknown')
            ? 'Contacts whose basis is unknown are mailed'
            : 'What the law asks in the UK'
      }
    >
      <p className={classes.rule}>
        Regulation 22 of PECR lets you email marketing to individuals only if they agreed to it, or by the
        soft opt-in: they gave you their address while buying from you or asking about it, you write about
        something similar, and you offered a way to say no then and in each email. Sole traders and ordinary
        partnerships count as individuals.
      </p>
      <p className={classes.rule}>
        Companies, LLPs, Scottish partnerships and public bodies are corporate subscribers. You may write to
        them without asking first, but a named person there may object, and you keep to that. Everybody must
        see who writes and how to stop it. The product guesses none of this: what stands with a contact is
        what you say. <AwayLink href={guidance}>Read the ICO’s guidance</AwayLink>
      </p>
    </Note>
  );
}
