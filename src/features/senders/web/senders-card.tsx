import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { listSenderDomains } from '../contract.ts';
import { DomainState } from './marks.tsx';
import { domainsPath } from './paths.ts';
import classes from './senders.module.css';

/**
 * The settings' card for sender domains: which there are, and whether their records are in place.
 */
export default function SendersCard() {
  const { data, error } = useQuery(queryOptionsFor(listSenderDomains));
  return (
    <Card
      title="Sender domains"
      hint="DNS records that show receivers your mail is yours"
      action={<TextLink to={domainsPath}>{data?.items.length === 0 ? 'Add a domain' : 'Open'}</TextLink>}
    >
      {error && <ErrorLine title="The sender domains could not be loaded." error={error} />}
      {data?.items.length === 0 && (
        <p className={classes.dim}>
          None yet. Gmail and Yahoo ask for one of everybody who sends many mails.
        </p>
      )}
      {data?.items.map(({ id, domain, state }) => (
        <div key={id} className={classes.line}>
          <TextLink to={`${domainsPath}/${id}`}>{domain}</TextLink>
          <DomainState state={state} />
        </div>
      ))}
    </Card>
  );
}
