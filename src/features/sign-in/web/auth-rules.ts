import { ApiError, words } from '#platform/web/api.ts';
import { nameProblem } from '../rules.ts';

export interface AuthValues {
  name: string;
  email: string;
  password: string;
  /** The workspace of whoever signs up; empty for the one that fits them. */
  workspace: string;
}
export type AuthMode = 'sign-in' | 'sign-up';
export type AuthErrors = Partial<Record<keyof AuthValues | 'form', string>>;

export const minPasswordLength = 10;

/** Checks before asking the server. The server decides. */
export function checkAuth(mode: AuthMode, { name, email, password, workspace }: AuthValues): AuthErrors {
  const errors: AuthErrors = {};
  if (mode === 'sign-up' && name.trim() === '') errors.name = 'Please enter your name';
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email.trim())) errors.email = 'Please enter your email address';
  if (password === '') errors.password = 'Please enter your password';
  else if (mode === 'sign-up' && password.length < minPasswordLength)
    errors.password = `Use at least ${minPasswordLength} characters`;
  const problem = mode === 'sign-up' && workspace.trim() !== '' ? nameProblem(workspace) : null;
  if (problem !== null) errors.workspace = problem;
  return errors;
}

/** The message for a refusal, beside its field if that is known. */
export function authFailure(mode: AuthMode, error: unknown): AuthErrors {
  if (!(error instanceof ApiError)) return { form: words(error) };
  if (error.status === 429) return { form: tooMany(error.retryAfter) };
  if (mode === 'sign-in' && error.status === 401)
    return { form: 'This email address and password do not match.' };
  if (Object.keys(error.fields).length > 0) return error.fields;
  if (mode === 'sign-up' && (error.status === 409 || error.status === 422))
    return { email: error.serverMessage ?? 'This email address already has an account. Sign in instead.' };
  const fallback = mode === 'sign-in' ? 'You could not be signed in.' : 'Your account could not be made.';
  return { form: words(error, `${fallback} Please try again.`) };
}

function tooMany(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return 'Too many attempts. Wait a minute, then try again.';
  const wait = seconds < 90 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts. Wait ${wait}, then try again.`;
}
