import { AsyncLocalStorage } from 'node:async_hooks';
import { getOAuthState } from 'better-auth/api';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { OidcConfig } from '#platform/server/config.ts';
import { providerId } from '../../rules/provider.ts';
import type { ProviderPart } from '../auth.ts';
import { selectAccount } from '../user-queries.ts';
import { recordForUser } from '../users.ts';
import { createProviderClient, type ProviderClient, type ReturnedCode } from './client.ts';
import { connect, receive, type VisitorParts } from './visitors.ts';

/** The identity provider of this installation. */
export interface Provider extends ProviderPart {
  config: OidcConfig;
  client: ProviderClient;
  /** Runs the library's callback for a browser with this session (0: it has none). */
  returnIn<T>(sessionId: number, callback: () => Promise<T>): Promise<T>;
}

/** The library passes on nothing of the call that it was called with. */
const returningIn = new AsyncLocalStorage<number>();

export function createProvider(config: OidcConfig, parts: Omit<VisitorParts, 'provider'>): Provider {
  const client = createProviderClient(config);
  return {
    config,
    client,
    returnIn: (sessionId, callback) => returningIn.run(sessionId, callback),
    plugin: pluginOf(config, client, { ...parts, provider: config }),
    onSession: (userId) =>
      parts.db.together(async (tx) => {
        const account = await selectAccount(tx, userId);
        if (!account) return;
        await recordForUser(tx, userId, {
          actor: account.email,
          action: 'account.signed_in_through_provider',
          details: { provider: config.name },
        });
      }),
  };
}

/**
 * The library keeps state and PKCE's verifier during a sign-in, and begins the session. Everything
 * between is ours: the library would accept an ID token's claims unchecked, and connect accounts by
 * its own rules.
 */
function pluginOf(config: OidcConfig, client: ProviderClient, parts: VisitorParts): GenericOAuthConfig {
  const { clientId, clientSecret } = config;
  const scopes = ['openid', 'email', 'profile'];
  return {
    providerId,
    clientId,
    clientSecret,
    scopes,
    pkce: true,
    // Accounts are made before the library looks for them.
    disableSignUp: true,
    // Read at each sign-in, after the provider has been asked where its endpoints are.
    get authorizationUrl() {
      return client.known()?.authorization_endpoint;
    },
    get tokenUrl() {
      return client.known()?.token_endpoint;
    },
    get issuer() {
      return client.known()?.issuer;
    },
    get requireIssuerValidation() {
      return client.known()?.authorization_response_iss_parameter_supported;
    },
    // The code is redeemed below. No token is kept: nothing is asked on a person's behalf after
    // they have signed in.
    getToken: async (returned) => ({ raw: { ...returned }, scopes }),
    getUserInfo: async ({ raw }) => {
      const identity = await client.whoIs(raw as unknown as ReturnedCode);
      const link = (await getOAuthState())?.link;
      const { name, email, emailVerified } = link
        ? await connect(
            parts,
            { userId: Number(link.userId), sessionId: returningIn.getStore() ?? 0 },
            identity,
          )
        : await receive(parts, identity);
      // The data of our own account, so that the library finds the chosen account and changes
      // nothing in it.
      return { id: identity.key, name, email: link?.email ?? email, emailVerified };
    },
  };
}
