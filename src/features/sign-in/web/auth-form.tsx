import { Button, PasswordInput, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { PlainForm } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { safePath } from '#platform/web/safe-path.ts';
import { workspaceName } from '../rules/workspace-name.ts';
import {
  type AuthErrors,
  type AuthMode,
  type AuthValues,
  authFailure,
  checkAuth,
  minPasswordLength,
} from './auth-rules.ts';
import { refreshCurrentUser, signIn, signUp } from './session.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Who is about to sign in. An address does not belong into the address bar and its logs. */
    signInAs?: string;
  }
}

interface AuthFormProps {
  mode: AuthMode;
  next: string | undefined;
  /** Another way in is above this form and has the page's one filled button. */
  isSecondary: boolean;
  /** The password was right, and a code is needed too. */
  onSecondFactor: () => void;
}

export function AuthForm({ mode, next, isSecondary, onSecondFactor }: AuthFormProps) {
  const { values, errors, pending, set, submit, form } = useAuth(mode, next, onSecondFactor);
  const signingUp = mode === 'sign-up';
  const field = (name: keyof AuthValues) => ({
    name,
    size: 'md',
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  return (
    <PlainForm onSubmit={submit} ref={form}>
      {signingUp && <TextInput label="Name" autoComplete="name" {...field('name')} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        {...field('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete={signingUp ? 'new-password' : 'current-password'}
        description={signingUp ? `At least ${minPasswordLength} characters.` : undefined}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        visibilityToggleIcon={({ reveal }) =>
          reveal ? <IconEyeOff size={22} stroke={1.5} /> : <IconEye size={22} stroke={1.5} />
        }
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        {...field('password')}
      />
      {signingUp && (
        <TextInput
          label="Workspace"
          description="Optional: what your business is called here. You can change it later."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={workspaceName(values)}
          autoComplete="organization"
          {...field('workspace')}
        />
      )}
      {errors.form && <Note tone="error">{errors.form}</Note>}
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={pending}
        variant={isSecondary ? 'default' : 'filled'}
      >
        {signingUp ? 'Create account' : 'Sign in'}
      </Button>
    </PlainForm>
  );
}

function useAuth(mode: AuthMode, next: string | undefined, onSecondFactor: () => void) {
  const router = useRouter();
  const { signInAs: email = '' } = router.state.location.state;
  const [values, setValues] = useState<AuthValues>({ name: '', email, password: '', workspace: '' });
  const [errors, setErrors] = useState<AuthErrors>({});
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const queryClient = useQueryClient();

  const refuse = (found: AuthErrors) => {
    setErrors(found);
    const first = (['name', 'email', 'password', 'workspace'] as const).find((name) => found[name]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };
  const send = async () => {
    const { name, email, password, workspace } = values;
    setPending(true);
    try {
      if (mode === 'sign-up')
        await signUp({ name: name.trim(), email: email.trim(), password, workspace: workspace.trim() });
      else if ((await signIn(email.trim(), password)) === 'second-factor') return onSecondFactor();
      await refreshCurrentUser(queryClient);
      await router.navigate({ href: safePath(next), replace: true });
    } catch (error) {
      refuse(authFailure(mode, error));
      setPending(false);
    }
  };
  const submit = () => {
    if (pending) return;
    const found = checkAuth(mode, values);
    refuse(found);
    if (Object.keys(found).length === 0) void send();
  };
  const set = (name: keyof AuthValues, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, form: __, ...rest }) => rest);
  };
  return { values, errors, pending, set, submit, form };
}
