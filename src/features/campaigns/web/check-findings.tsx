import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { type CampaignCheck, checkCampaign } from '../contract.ts';
import classes from './campaigns.module.css';

/** What the check found, in a line, for whoever sends without having opened it. */
export function CheckFindings({ id }: { id: number }) {
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queryOptionsFor(checkCampaign, { params: { id } }),
    // What somebody has changed since is looked at again. Until then nothing is known.
    refetchOnMount: 'always',
  });
  if (error && isFetchedAfterMount)
    return <ErrorLine title="The message could not be checked" error={error} />;
  // One element from the start, so that screen readers announce what comes into it.
  return (
    <p className={classes.findings} aria-live="polite">
      {data && isFetchedAfterMount ? (
        <>
          {found(data)} <TextLink to={`/campaigns/${id}/check`}>Open the check</TextLink>
        </>
      ) : (
        'Checking the message…'
      )}
    </p>
  );
}

const mostNamed = 3;
/** What is told in full: nobody can mend it once it is sent. */
const toldInFull = 'empty_links';

function found({ checks }: CampaignCheck) {
  const titles = (result: 'block' | 'advice') => {
    const all = checks.filter((one) => one.result === result).map(({ title }) => title);
    const more = all.length - mostNamed;
    const named = more > 0 ? [...all.slice(0, mostNamed), `${more} more`] : all;
    return named.length > 0 ? new Intl.ListFormat('en-GB').format(named) : null;
  };
  const blocking = titles('block');
  const advice = titles('advice');
  const full = checks.find(({ key }) => key === toldInFull);
  if (blocking) return <b>{`The check blocks it: ${blocking}.`}</b>;
  if (!advice) return 'The check found nothing to mend.';
  return <b>{[`To look at first: ${advice}.`, full?.words].filter(Boolean).join(' ')}</b>;
}
