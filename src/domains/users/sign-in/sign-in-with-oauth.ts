/**
 * OAuth sign-in (authorization code flow with state, nonce and PKCE). The callback redirects the browser to the client with a login code
 * of the gateway, which the client exchanges for tokens with `login`.
 */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { classifyDbError } from '../../../db/index.ts';
import { AppError, validationError } from '../../../errors.ts';
import {
  decryptWithSecret,
  encryptWithSecret,
  randomToken,
  sha256Hex,
} from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { parseUrlOnAllowedOrigin } from '../../../lib/net/parse-url-on-allowed-origin.ts';
import { truncateText } from '../../../lib/text/escape-text.ts';
import { now } from '../../../lib/time.ts';
import {
  type IdentityClaims,
  type IdentityProvider,
  IdentityRejectedError,
} from '../../../ports/identity.ts';
import { cleanPersonName, parseEmail } from '../email-phone-and-password-rules.ts';
import { accountRateLimitRules, buildClientNetworkRateLimitKey, enforceRateLimits } from '../rate-limits.ts';
import { badRequestWithDetail } from '../schemas.ts';
import { findOrCreateIdentityUser } from './find-or-create-identity-user.ts';
import { type buildLoginUrlSchema, parseAuthProvider } from './schemas.ts';
import { type AuthResult, createUserSession } from './sessions.ts';

/** Time from the login URL to the callback. */
const stateSeconds = 600;
/** Time from the callback to `login`. */
const loginCodeSeconds = 60;

/** Path of the redirect URI at the identity provider. */
export const oauthCallbackPath = '/v1/users/login/callback';

const callbackUrl = ({ config }: Pick<Context, 'config'>) => `${config.publicUrl}${oauthCallbackPath}`;

/** Stores a new state and returns the authorization URL for the browser. */
export async function createOAuthLoginUrl(
  ctx: Context,
  { provider, originUrl, redirectUrl }: z.output<ReturnType<typeof buildLoginUrlSchema>>,
): Promise<string> {
  if (parseAuthProvider(ctx.config, provider) !== 'OAUTH_IDP') {
    throw badRequestWithDetail('Only the provider OAUTH_IDP has a login URL.', {
      field: 'provider',
      error: 'INVALID_PROVIDER',
    });
  }
  const identity = requireIdentityProvider(ctx);
  await enforceRateLimits(ctx, [accountRateLimitRules.loginByAddress, buildClientNetworkRateLimitKey(ctx)]);
  const [state, nonce, codeVerifier] = [randomToken(), randomToken(), randomToken()];
  const url = await identity
    .authorizationUrl({ redirectUri: callbackUrl(ctx), state, nonce, codeVerifier })
    .catch((error: unknown) => {
      throw new AppError('UNAVAILABLE', 'The identity provider does not respond. Try again later.', {
        cause: error,
      });
    });
  await ctx.db.prisma.oauthState.create({
    data: {
      stateHash: sha256Hex(state),
      nonce,
      codeVerifier,
      originUrl,
      redirectUrl,
      expiresAt: now() + stateSeconds,
    },
  });
  return url;
}

/** Completes the code flow and returns the URL to redirect the browser to, with `code` or `error` in its query. */
export async function handleOAuthCallback(ctx: Context, query: string): Promise<string> {
  const identity = requireIdentityProvider(ctx);
  const state = new URLSearchParams(query).get('state') ?? '';
  const oauthState = await undefinedIfNotFound(
    ctx.db.prisma.oauthState.delete({ where: { stateHash: sha256Hex(state), expiresAt: { gt: now() } } }),
  );
  // Without a stored state there is no redirect URL that is safe to use.
  if (!oauthState || !parseUrlOnAllowedOrigin(ctx.config, oauthState.redirectUrl)) throw invalidState();
  const redirectWith = (name: string, value: string) => {
    const url = new URL(oauthState.redirectUrl);
    url.searchParams.set(name, value);
    return url.href;
  };
  let claims: IdentityClaims;
  try {
    claims = await identity.finish(
      {
        redirectUri: callbackUrl(ctx),
        state,
        nonce: oauthState.nonce,
        codeVerifier: oauthState.codeVerifier,
      },
      query,
    );
  } catch (error) {
    const isRefused = error instanceof IdentityRejectedError;
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'sign-in with identity provider failed');
    return redirectWith('error', isRefused ? 'access_denied' : 'temporarily_unavailable');
  }
  const email = claims.email === undefined ? undefined : parseEmail(claims.email);
  if (email === undefined || !claims.emailVerified) return redirectWith('error', 'email_not_verified');
  const code = randomToken();
  await ctx.db.prisma.loginCode.create({
    data: {
      codeHash: sha256Hex(code),
      originUrl: oauthState.originUrl,
      issuer: claims.issuer,
      subject: claims.subject,
      email,
      name: truncateText(cleanPersonName(claims.name ?? ''), 200),
      providerToken: claims.token === undefined ? null : encryptWithSecret(ctx.keys.secret, claims.token),
      expiresAt: now() + loginCodeSeconds,
    },
  });
  return redirectWith('code', code);
}

/** Exchanges a login code for a session. The first attempt consumes the code, also when its origin does not match. */
export async function signInWithLoginCode(
  ctx: Context,
  { code, originUrl }: { code: string; originUrl: string },
): Promise<AuthResult> {
  const origin = parseUrlOnAllowedOrigin(ctx.config, originUrl)?.origin;
  if (origin === undefined) throw invalidOrigin('This URL is not on the allow list (ALLOWED_ORIGINS).');
  requireIdentityProvider(ctx);
  const identity = await undefinedIfNotFound(
    ctx.db.prisma.loginCode.delete({ where: { codeHash: sha256Hex(code), expiresAt: { gt: now() } } }),
  );
  if (!identity) throw invalidCode();
  if (identity.originUrl !== origin)
    throw invalidOrigin('The sign-in began at another origin. Use the origin that was passed to `loginUrl`.');
  const user = await findOrCreateIdentityUser(ctx, identity);
  return createUserSession(ctx, {
    subject: user,
    provider: 'OAUTH_IDP',
    providerToken:
      identity.providerToken === null
        ? undefined
        : decryptWithSecret(ctx.keys.secret, identity.providerToken),
    async recordLogin({ prisma }, lastLoginAt) {
      const { count } = await prisma.user.updateMany({ where: { id: user.id }, data: { lastLoginAt } });
      if (count === 0) throw invalidCode();
    },
  });
}

/** The deleted row; undefined when no row matched, for example because a concurrent request deleted it. */
async function undefinedIfNotFound<T>(deletion: Promise<T>): Promise<T | undefined> {
  try {
    return await deletion;
  } catch (error) {
    if (classifyDbError(error)?.kind === 'notFound') return undefined;
    throw error;
  }
}

function requireIdentityProvider({ identity }: Pick<Context, 'identity'>): IdentityProvider {
  if (identity) return identity;
  throw badRequestWithDetail('No identity provider is configured (OIDC_ISSUER).', {
    field: 'provider',
    error: 'NOT_CONFIGURED',
  });
}

const invalidState = () =>
  validationError(
    'state',
    'INVALID_STATE',
    'The state is unknown, was used already, or has expired. Start the sign-in again.',
  );

const invalidCode = () =>
  validationError(
    'code',
    'INVALID_CODE',
    'The code is unknown, was used already, or has expired. Sign in again.',
  );

const invalidOrigin = (message: string) => validationError('originUrl', 'INVALID_ORIGIN_URI', message);
