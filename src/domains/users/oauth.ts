/** Signing in through the identity provider: out with state, nonce and PKCE, back with a code of our own. */
import type { z } from 'zod';
import { digest, randomToken, seal, unseal } from '../../auth/secrets.ts';
import type { Context } from '../../context.ts';
import { insertRow } from '../../db/rows.ts';
import { AppError, invalid } from '../../errors.ts';
import { allowedUrl } from '../../lib/origins.ts';
import { now } from '../../lib/time.ts';
import { type IdentityClaims, type IdentityProvider, IdentityRefused } from '../../ports/identity.ts';
import { badRequest, type loginUrlCheck, providerOf } from './checks.ts';
import { personOf } from './identities.ts';
import { addressKey, limit, rules } from './limits.ts';
import { cleanName, normaliseEmail } from './rules.ts';
import { type AuthResult, openSession } from './sessions.ts';

const roundTripSeconds = 600;
const codeSeconds = 60;

/** Where the identity provider sends the browser back to. */
export const callbackPath = '/v1/users/login/callback';

const callbackUrl = ({ config }: Pick<Context, 'config'>) => `${config.publicUrl}${callbackPath}`;

/** The address to send the browser to. */
export async function loginUrl(
  ctx: Context,
  { provider, originUrl, redirectUrl }: z.output<ReturnType<typeof loginUrlCheck>>,
): Promise<string> {
  if (providerOf(ctx.config, provider) !== 'OAUTH_IDP') {
    throw badRequest('Only OAUTH_IDP has a login address.', { field: 'provider', error: 'INVALID_PROVIDER' });
  }
  const identity = configured(ctx);
  await limit(ctx, [rules.loginByAddress, addressKey(ctx)]);
  const [state, nonce, codeVerifier] = [randomToken(), randomToken(), randomToken()];
  const url = await identity
    .authorizationUrl({ redirectUri: callbackUrl(ctx), state, nonce, codeVerifier })
    .catch((error: unknown) => {
      throw new AppError('UNAVAILABLE', 'The identity provider does not answer, try again.', {
        cause: error,
      });
    });
  await insertRow(ctx.db, 'oauth_states', {
    stateHash: digest(state),
    nonce,
    codeVerifier,
    originUrl,
    redirectUrl,
    expiresAt: now() + roundTripSeconds,
  });
  return url;
}

interface StateRow {
  nonce: string;
  code_verifier: string;
  origin_url: string;
  redirect_url: string;
}

/** Finishes the round trip and returns the address to forward the browser to: with a code, or with an error. */
export async function finishRoundTrip(ctx: Context, query: string): Promise<string> {
  const identity = configured(ctx);
  const state = new URLSearchParams(query).get('state') ?? '';
  const [started] = await ctx.db.sql<StateRow>(
    `delete from oauth_states where state_hash = $1 and expires_at > $2
     returning nonce, code_verifier, origin_url, redirect_url`,
    [digest(state), now()],
  );
  // Without a state of ours there is no address that could be trusted with an answer.
  if (!started || !allowedUrl(ctx.config, started.redirect_url)) throw invalidState();
  const back = (name: string, value: string) => {
    const url = new URL(started.redirect_url);
    url.searchParams.set(name, value);
    return url.href;
  };
  let claims: IdentityClaims;
  try {
    claims = await identity.finish(
      { redirectUri: callbackUrl(ctx), state, nonce: started.nonce, codeVerifier: started.code_verifier },
      query,
    );
  } catch (error) {
    const isRefused = error instanceof IdentityRefused;
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'sign-in with identity provider failed');
    return back('error', isRefused ? 'access_denied' : 'temporarily_unavailable');
  }
  const email = claims.email === undefined ? undefined : normaliseEmail(claims.email);
  if (email === undefined || !claims.emailVerified) return back('error', 'email_not_verified');
  const code = randomToken();
  await insertRow(ctx.db, 'login_codes', {
    codeHash: digest(code),
    originUrl: started.origin_url,
    issuer: claims.issuer,
    subject: claims.subject,
    email,
    name: cleanName(claims.name ?? '').slice(0, 200),
    providerToken: claims.token === undefined ? null : seal(ctx.keys.secret, claims.token),
    expiresAt: now() + codeSeconds,
  });
  return back('code', code);
}

interface CodeRow {
  origin_url: string;
  issuer: string;
  subject: string;
  email: string;
  name: string;
  provider_token: string | null;
}

/** Collects what the identity provider vouched for; the code is gone with the first try, whatever its origin. */
export async function signInWithCode(
  ctx: Context,
  { code, originUrl }: { code: string; originUrl: string },
): Promise<AuthResult> {
  const origin = allowedUrl(ctx.config, originUrl)?.origin;
  if (origin === undefined) throw invalidOrigin('This address is not on the allow list.');
  configured(ctx);
  const [vouched] = await ctx.db.sql<CodeRow>(
    `delete from login_codes where code_hash = $1 and expires_at > $2
     returning origin_url, issuer, subject, email, name, provider_token`,
    [digest(code), now()],
  );
  if (!vouched) throw invalidCode();
  if (vouched.origin_url !== origin) throw invalidOrigin('The sign-in began at another origin.');
  const person = await personOf(ctx, vouched);
  return openSession(ctx, {
    subject: person,
    provider: 'OAUTH_IDP',
    providerToken:
      vouched.provider_token === null ? undefined : unseal(ctx.keys.secret, vouched.provider_token),
    async before(tx) {
      const there = await tx.sql('select 1 from users where id = $1 for update', [person.id]);
      if (there.length === 0) throw invalidCode();
    },
  });
}

function configured({ identity }: Pick<Context, 'identity'>): IdentityProvider {
  if (identity) return identity;
  throw badRequest('No identity provider is configured.', { field: 'provider', error: 'NOT_CONFIGURED' });
}

const invalidState = () =>
  invalid({
    field: 'state',
    error: 'INVALID_STATE',
    message: 'This sign-in was not begun here, was finished already, or took too long. Begin again.',
  });

const invalidCode = () =>
  invalid({
    field: 'code',
    error: 'INVALID_CODE',
    message: 'The code was used already, has expired, or is not one of ours. Sign in again.',
  });

const invalidOrigin = (message: string) =>
  invalid({ field: 'originUrl', error: 'INVALID_ORIGIN_URI', message });
