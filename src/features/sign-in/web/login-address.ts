/**
 * Where signing in through the provider begins. The server answers with a redirect, so this is not
 * a page of this application.
 */
export const loginAddress = (next: string | undefined): string =>
  next === undefined ? '/api/login' : `/api/login?${new URLSearchParams({ next })}`;
