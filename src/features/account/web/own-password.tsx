import { PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { freshMinutes } from '#features/sign-in/rules/provider-failures.ts';
import { loginAddress } from '#features/sign-in/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { AwayLink } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { getAccount } from '../contract.ts';

interface SecretInputProps {
  label: string;
  description?: string;
  autoComplete: 'current-password' | 'new-password';
  autoFocus?: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export function SecretInput({ onChange, autoFocus = false, ...rest }: SecretInputProps) {
  return (
    <PasswordInput
      {...rest}
      {...(autoFocus ? { 'data-autofocus': true } : {})}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface OwnPasswordProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

/**
 * Confirms a change with the password. People without one must have just come through the identity
 * provider.
 */
export function OwnPassword(props: OwnPasswordProps) {
  const { data: account } = useQuery(queryOptionsFor(getAccount));
  const href = useLocation({ select: (location) => location.href });
  const provider = account?.signIn.password === 'set' ? null : account?.signIn.provider;
  if (!provider) return <SecretInput label="Your password" autoComplete="current-password" {...props} />;
  return (
    <Note tone="info">
      This takes a sign-in through {provider.name} of the last {freshMinutes} minutes.{' '}
      <AwayLink href={loginAddress(href)}>Sign in again</AwayLink>
    </Note>
  );
}
