import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

interface Refusals {
  /** Nobody is signed in any more. */
  onSignedOut: () => void;
  /** The workspace asks for two-factor sign-in now, and who is signed in has none. */
  onTwoFactorRequired: () => void;
}

/** The cache with the product's defaults: fresh for five minutes, no retry, no polling, no refetch on focus. */
export function createQueryClient({ onSignedOut, onTwoFactorRequired }: Refusals): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) onSignedOut();
    if (error.code === 'two_factor_required') onTwoFactorRequired();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 300_000, retry: false, refetchInterval: false, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}
