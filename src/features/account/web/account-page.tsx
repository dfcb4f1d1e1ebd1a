import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { getAccount } from '../contract.ts';
import { NotificationsCard } from './notifications-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** The person's own name, address, password, second factor, and where they are signed in. */
export default function AccountPage() {
  const { data, error, refetch } = useQuery(queryOptionsFor(getAccount));
  return (
    <Page title="Your account" purpose="How you sign in, and where you are signed in.">
      {data ? (
        <>
          <ProfileCard account={data} />
          <SignInCard account={data} />
          <TwoFactorCard account={data} />
          <NotificationsCard />
          <SessionsCard />
        </>
      ) : error ? (
        <ErrorState title="Your account could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <CentredSpinner />
      )}
    </Page>
  );
}
