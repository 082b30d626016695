/** Identity provider adapter for OpenID Connect, configured by discovery. */
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  tokenRevocation,
} from 'openid-client';
import { buildTraceHeaders } from '../../lib/tracing.ts';
import { type IdentityProvider, IdentityRejectedError } from '../../ports/identity.ts';
import type { OidcConfig } from '../../read-provider-config.ts';

const scope = 'openid email profile';

export function createOidcProvider({ issuer, clientId, clientSecret }: OidcConfig): IdentityProvider {
  let discovered: Promise<Configuration> | undefined;
  /** Discovery runs on first use, so that the gateway starts without the provider. A failed discovery is retried on the next use. */
  const configuration = () => {
    discovered ??= discover(issuer, clientId, clientSecret).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };

  return {
    async authorizationUrl({ redirectUri, state, nonce, codeVerifier }) {
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async finish({ redirectUri, state, nonce, codeVerifier }, query) {
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }).catch(throwIdentityError);
      const claims = tokens.claims();
      if (!claims) throw new IdentityRejectedError('The identity provider sent no ID token.');
      const profile =
        claims.email === undefined && config.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: textOf(profile.email),
        emailVerified: profile.email_verified === true,
        name: textOf(profile.name) ?? textOf(claims.name),
        token: tokens.refresh_token ?? tokens.access_token,
      };
    },
    async revoke(token) {
      const config = await configuration();
      if (config.serverMetadata().revocation_endpoint) await tokenRevocation(config, token);
    },
  };
}

/** Plain HTTP is allowed only when the issuer URL itself is http, for providers in the same private network. */
const discover = (issuer: string, clientId: string, clientSecret: string | undefined) =>
  discovery(new URL(issuer), clientId, clientSecret, undefined, {
    [customFetch]: tracingFetch,
    ...(issuer.startsWith('http://') && { execute: [allowInsecureRequests] }),
  });

/** Fetch with trace headers; the client configuration uses it for all later requests. */
const tracingFetch: CustomFetch = (url, options) =>
  fetch(url, { ...(options as RequestInit), headers: { ...options.headers, ...buildTraceHeaders() } });

/** Error responses of the provider and responses that fail validation are permanent; connection errors are not. */
function throwIdentityError(error: unknown): never {
  const isPermanent =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && error.code?.startsWith('OAUTH_') && error.code !== 'OAUTH_TIMEOUT');
  throw isPermanent
    ? new IdentityRejectedError('The identity provider rejected the sign-in.', { cause: error })
    : error;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
