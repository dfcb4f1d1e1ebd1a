import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Below, Fields, Lines, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { getSignInMethods } from '../contract.ts';
import { loginAddress } from './login-address.ts';

interface WithPasswordsProps {
  /** The page's title while its content is not yet known. */
  title: string;
  children: ReactNode;
}

/**
 * A page about passwords. If people can only sign in through the identity provider, it says so and
 * links there.
 */
export function WithPasswords({ title, children }: WithPasswordsProps) {
  const { data, isPending } = useQuery(queryOptionsFor(getSignInMethods));
  if (isPending) return <PlainFrame title={title}>{null}</PlainFrame>;
  // If the methods are unknown, the form is the better guess: the server refuses it with its
  // reason.
  if (!data?.provider || data.password) return children;
  const { name } = data.provider;
  return (
    <PlainFrame title={`Sign in through ${name}`}>
      <Lines>There are no passwords here. People sign in through {name}.</Lines>
      <Fields>
        <Button component="a" href={loginAddress(undefined)} size="md" fullWidth>
          Continue with {name}
        </Button>
      </Fields>
      <Below>
        <Link to="/auth">Back to sign in</Link>
      </Below>
    </PlainFrame>
  );
}
