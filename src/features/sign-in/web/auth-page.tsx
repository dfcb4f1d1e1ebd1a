import { Divider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Pitch, SampleReceipt } from '#features/welcome/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Below, PlainFrame, Small } from '#platform/web/components/plain-frame.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { getSignInMethods } from '../contract.ts';
import { AuthForm } from './auth-form.tsx';
import classes from './auth-page.module.css';
import type { AuthMode } from './auth-rules.ts';
import { authSearch } from './auth-search.ts';
import { ProviderWay } from './provider-way.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const titles: Record<AuthMode, string> = { 'sign-in': 'Sign in', 'sign-up': 'Get started' };

/** Sign in and sign up: through the identity provider if there is one, and with a password. */
export default function AuthPage() {
  const [{ mode, next }] = useUrlState(authSearch);
  const { data, isPending } = useQuery(queryOptionsFor(getSignInMethods));
  // If the methods are unknown, the form is the better guess.
  const methods = data ?? { password: true, provider: null };
  return (
    <PlainFrame
      title={titles[mode]}
      footer={`Email Manager, ${new Date().getFullYear()}`}
      aside={
        <>
          <Pitch heading="h2" />
          <SampleReceipt />
        </>
      }
    >
      {!isPending && <Ways key={mode} mode={mode} next={next} {...methods} />}
    </PlainFrame>
  );
}

interface WaysProps {
  mode: AuthMode;
  next: string | undefined;
  password: boolean;
  provider: { name: string } | null;
}

function Ways({ mode, next, password, provider }: WaysProps) {
  const [needsSecond, setNeedsSecond] = useState(false);
  if (needsSecond) return <SecondFactorForm next={next} />;
  return (
    <>
      {password && <OtherMode mode={mode} next={next} />}
      {provider && (
        <ProviderWay name={provider.name} next={next} passwords={password}>
          {password && <Divider label="or with a password" />}
        </ProviderWay>
      )}
      {password && (
        <AuthForm
          mode={mode}
          next={next}
          isSecondary={provider !== null}
          onSecondFactor={() => setNeedsSecond(true)}
        />
      )}
      {password && mode === 'sign-in' && (
        <Below>
          <Link to="/forgot-password">Forgot your password?</Link>
        </Below>
      )}
      {password && <Small>200 free emails a month. No credit card required.</Small>}
    </>
  );
}

function OtherMode({ mode, next }: { mode: AuthMode; next: string | undefined }) {
  const signingUp = mode === 'sign-up';
  return (
    <p className={classes.other}>
      {signingUp ? 'Already have an account? ' : 'New here? '}
      <Link to="/auth" search={{ ...(signingUp ? {} : { mode: 'sign-up' }), ...(next ? { next } : {}) }}>
        {signingUp ? 'Sign in' : 'Get started free'}
      </Link>
    </p>
  );
}
