/** What callers must send to sign in, stay signed in and sign out. */

import { z } from 'zod';
import { type Provider, providers } from '../../auth/tokens.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { AppError, type ErrorDetail } from '../../errors.ts';
import { optional, parse, requiredText, text } from '../../lib/input.ts';
import { allowedUrl } from '../../lib/origins.ts';
import { badRequest, emailCheck, fault, givenPassword, phoneCheck } from './checks.ts';

/** The provider that a wire value names; a deployment may have its own name for `OAUTH_IDP`. */
export function providerOf(config: Config, value: string | null | undefined): Provider {
  const known = value && value === config.oidc?.name ? 'OAUTH_IDP' : providers.find((name) => name === value);
  if (known) return known;
  throw badRequest(value ? `There is no provider "${value.slice(0, 50)}".` : 'Say which provider to use.', {
    field: 'provider',
    error: value ? 'INVALID_PROVIDER' : 'REQUIRED',
  });
}

const emailLogin = z.object({ input: z.object({ email: emailCheck, password: givenPassword }) });
const guestLogin = z.object({ input: z.object({ phoneNumber: optional(phoneCheck) }) });
const oauthLogin = z.object({ input: z.object({ code: requiredText(500), originUrl: requiredText(2048) }) });

interface LoginArgs {
  input?: Partial<Record<'provider' | 'signInWith' | 'email' | 'password', string | null>>;
}

export type LoginInput =
  | ({ provider: 'EMAIL' } & z.output<typeof emailLogin>['input'])
  | ({ provider: 'GUEST' } & z.output<typeof guestLogin>['input'])
  | ({ provider: 'OAUTH_IDP' } & z.output<typeof oauthLogin>['input']);

/** At login, what is missing or malformed makes a bad request, not an invalid one. */
export function parseLogin(ctx: Context, args: unknown, known: readonly ErrorDetail[] = []): LoginInput {
  const { signInWith, email, password, ...input } = (args as LoginArgs).input ?? {};
  if (signInWith != null && input.provider != null)
    throw badRequest('Give this, or provider, not both.', { field: 'signInWith', error: 'INVALID_VALUE' });
  if (known.some(({ field }) => field.endsWith('signInWith')))
    malformedIfInvalid(() => parse(z.unknown(), args, known));
  const named = signInWith ?? input.provider;
  // Older clients leave it out where the rest says it.
  const provider = providerOf(ctx.config, named ?? (email && password ? 'EMAIL' : undefined));
  const checked = <Schema extends z.ZodType>(check: Schema) =>
    malformedIfInvalid(() => parse(check, args, known));
  switch (provider) {
    case 'EMAIL':
      return { provider, ...checked(emailLogin).input };
    case 'GUEST':
      return { provider, ...checked(guestLogin).input };
    case 'OAUTH_IDP':
      return { provider, ...checked(oauthLogin).input };
    case 'API':
      throw badRequest('An API key is sent with each request: there is nothing to log in to.', {
        field: 'provider',
        error: 'INVALID_PROVIDER',
      });
  }
}

/** The same with the form that the caller chose: one of them, as GraphQL makes sure. */
export const loginByCheck = z
  .object({
    by: z.object({
      email: optional(emailLogin.shape.input),
      guest: optional(guestLogin.shape.input),
      oauth: optional(oauthLogin.shape.input),
    }),
  })
  .transform(({ by: { email, guest, oauth } }): LoginInput => {
    if (email) return { provider: 'EMAIL', ...email };
    return oauth
      ? { provider: 'OAUTH_IDP', ...oauth }
      : { provider: 'GUEST', phoneNumber: guest?.phoneNumber };
  });

function malformedIfInvalid<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
    throw new AppError('BAD_REQUEST', error.message, { details: error.details });
  }
}

const allowedUrlCheck = (config: Config, error: DetailCode) =>
  requiredText(2048).transform((value, ctx) => {
    const url = allowedUrl(config, value);
    if (url) return url;
    ctx.addIssue(fault(error, 'This address is not on the allow list.'));
    return z.NEVER;
  });

export const loginUrlCheck = (config: Config) =>
  z.object({
    provider: optional(text(50)),
    originUrl: allowedUrlCheck(config, 'INVALID_ORIGIN_URI').transform((url) => url.origin),
    redirectUrl: allowedUrlCheck(config, 'INVALID_REDIRECT_URI').transform((url) => url.href),
  });

export const refreshCheck = z.object({
  input: z.object({ provider: optional(text(50)), refreshToken: requiredText(4000) }),
});

export const logoutCheck = (config: Config) =>
  z.object({
    input: z.object({
      provider: optional(text(50)),
      token: optional(text(4000)),
      originUrl: optional(allowedUrlCheck(config, 'INVALID_ORIGIN_URI')),
    }),
  });
