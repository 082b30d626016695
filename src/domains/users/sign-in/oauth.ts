/** Signing in through the identity provider: out with state, nonce and PKCE, back with a code of our own. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { classifyDbError } from '../../../db/errors.ts';
import { AppError, validationError } from '../../../errors.ts';
import { digest, randomToken, seal, unseal } from '../../../lib/crypto.ts';
import { parseAllowedUrl } from '../../../lib/net/allowed-urls.ts';
import { now } from '../../../lib/time.ts';
import {
  type IdentityClaims,
  type IdentityProvider,
  IdentityRejectedError,
} from '../../../ports/identity.ts';
import { accountLimitRules, clientNetworkKey, enforceLimits } from '../rate-limits.ts';
import { cleanPersonName, normaliseEmail } from '../rules.ts';
import { badRequestWithDetail } from '../schemas.ts';
import { findOrCreateIdentityUser } from './link-identity.ts';
import { type loginUrlSchema, requireAuthProvider } from './schemas.ts';
import { type AuthResult, openSession } from './sessions.ts';

const roundTripSeconds = 600;
const codeSeconds = 60;

/** Where the identity provider sends the browser back to. */
export const oauthCallbackPath = '/v1/users/login/callback';

const callbackUrl = ({ config }: Pick<Context, 'config'>) => `${config.publicUrl}${oauthCallbackPath}`;

/** The address to send the browser to. */
export async function createLoginUrl(
  ctx: Context,
  { provider, originUrl, redirectUrl }: z.output<ReturnType<typeof loginUrlSchema>>,
): Promise<string> {
  if (requireAuthProvider(ctx.config, provider) !== 'OAUTH_IDP') {
    throw badRequestWithDetail('Only OAUTH_IDP has a login address.', {
      field: 'provider',
      error: 'INVALID_PROVIDER',
    });
  }
  const identity = configured(ctx);
  await enforceLimits(ctx, [accountLimitRules.loginByAddress, clientNetworkKey(ctx)]);
  const [state, nonce, codeVerifier] = [randomToken(), randomToken(), randomToken()];
  const url = await identity
    .authorizationUrl({ redirectUri: callbackUrl(ctx), state, nonce, codeVerifier })
    .catch((error: unknown) => {
      throw new AppError('UNAVAILABLE', 'The identity provider does not answer, try again.', {
        cause: error,
      });
    });
  await ctx.db.prisma.oauthState.create({
    data: {
      stateHash: digest(state),
      nonce,
      codeVerifier,
      originUrl,
      redirectUrl,
      expiresAt: now() + roundTripSeconds,
    },
  });
  return url;
}

/** Finishes the round trip and returns the address to forward the browser to: with a code, or with an error. */
export async function handleOAuthCallback(ctx: Context, query: string): Promise<string> {
  const identity = configured(ctx);
  const state = new URLSearchParams(query).get('state') ?? '';
  const started = await unlessGone(
    ctx.db.prisma.oauthState.delete({ where: { stateHash: digest(state), expiresAt: { gt: now() } } }),
  );
  // Without a state of ours there is no address that could be trusted with an answer.
  if (!started || !parseAllowedUrl(ctx.config, started.redirectUrl)) throw invalidState();
  const back = (name: string, value: string) => {
    const url = new URL(started.redirectUrl);
    url.searchParams.set(name, value);
    return url.href;
  };
  let claims: IdentityClaims;
  try {
    claims = await identity.finish(
      { redirectUri: callbackUrl(ctx), state, nonce: started.nonce, codeVerifier: started.codeVerifier },
      query,
    );
  } catch (error) {
    const isRefused = error instanceof IdentityRejectedError;
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'sign-in with identity provider failed');
    return back('error', isRefused ? 'access_denied' : 'temporarily_unavailable');
  }
  const email = claims.email === undefined ? undefined : normaliseEmail(claims.email);
  if (email === undefined || !claims.emailVerified) return back('error', 'email_not_verified');
  const code = randomToken();
  await ctx.db.prisma.loginCode.create({
    data: {
      codeHash: digest(code),
      originUrl: started.originUrl,
      issuer: claims.issuer,
      subject: claims.subject,
      email,
      name: cleanPersonName(claims.name ?? '').slice(0, 200),
      providerToken: claims.token === undefined ? null : seal(ctx.keys.secret, claims.token),
      expiresAt: now() + codeSeconds,
    },
  });
  return back('code', code);
}

/** Collects what the identity provider vouched for; the code is gone with the first try, whatever its origin. */
export async function signInWithOAuthCode(
  ctx: Context,
  { code, originUrl }: { code: string; originUrl: string },
): Promise<AuthResult> {
  const origin = parseAllowedUrl(ctx.config, originUrl)?.origin;
  if (origin === undefined) throw invalidOrigin('This address is not on the allow list.');
  configured(ctx);
  const vouched = await unlessGone(
    ctx.db.prisma.loginCode.delete({ where: { codeHash: digest(code), expiresAt: { gt: now() } } }),
  );
  if (!vouched) throw invalidCode();
  if (vouched.originUrl !== origin) throw invalidOrigin('The sign-in began at another origin.');
  const person = await findOrCreateIdentityUser(ctx, vouched);
  return openSession(ctx, {
    subject: person,
    provider: 'OAUTH_IDP',
    providerToken:
      vouched.providerToken === null ? undefined : unseal(ctx.keys.secret, vouched.providerToken),
    async enter({ prisma }, lastLoginAt) {
      const { count } = await prisma.user.updateMany({ where: { id: person.id }, data: { lastLoginAt } });
      if (count === 0) throw invalidCode();
    },
  });
}

/** What a delete took away; undefined when somebody was faster, or it was never there. */
async function unlessGone<T>(taken: Promise<T>): Promise<T | undefined> {
  try {
    return await taken;
  } catch (error) {
    if (classifyDbError(error)?.kind === 'notFound') return undefined;
    throw error;
  }
}

function configured({ identity }: Pick<Context, 'identity'>): IdentityProvider {
  if (identity) return identity;
  throw badRequestWithDetail('No identity provider is configured.', {
    field: 'provider',
    error: 'NOT_CONFIGURED',
  });
}

const invalidState = () =>
  validationError({
    field: 'state',
    error: 'INVALID_STATE',
    message: 'This sign-in was not begun here, was finished already, or took too long. Begin again.',
  });

const invalidCode = () =>
  validationError({
    field: 'code',
    error: 'INVALID_CODE',
    message: 'The code was used already, has expired, or is not one of ours. Sign in again.',
  });

const invalidOrigin = (message: string) =>
  validationError({ field: 'originUrl', error: 'INVALID_ORIGIN_URI', message });
