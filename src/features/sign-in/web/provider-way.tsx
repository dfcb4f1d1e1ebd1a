import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fields } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { failureWords } from '../rules/provider-words.ts';
import { authSearch } from './auth-search.ts';
import { loginAddress } from './login-address.ts';

interface ProviderWayProps {
  name: string;
  next: string | undefined;
  passwords: boolean;
  children: ReactNode;
}

/** The way in through the identity provider, and why it failed a moment ago. */
export function ProviderWay({ name, next, passwords, children }: ProviderWayProps) {
  const [{ failure }] = useUrlState(authSearch);
  return (
    <Fields>
      {failure !== '' && (
        <Note tone={failure === 'cancelled' ? 'info' : 'error'}>
          {failureWords(failure, { name, passwords, connecting: false })}
        </Note>
      )}
      <Button component="a" href={loginAddress(next)} size="md" fullWidth>
        Continue with {name}
      </Button>
      {children}
    </Fields>
  );
}
