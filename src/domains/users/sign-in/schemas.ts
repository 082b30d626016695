/** What callers must send to sign in, stay signed in and sign out. */

import { z } from 'zod';
import { type AuthProvider, authProviders } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import { AppError, type ErrorDetail } from '../../../errors.ts';
import { parseAllowedUrl } from '../../../lib/net/allowed-urls.ts';
import { optionalInput, parseInput, requiredTextSchema, textSchema } from '../../../lib/validation/input.ts';
import {
  badRequestWithDetail,
  currentPasswordSchema,
  customIssue,
  emailSchema,
  phoneSchema,
} from '../schemas.ts';

/** The provider that a wire value names; a deployment may have its own name for `OAUTH_IDP`. */
export function requireAuthProvider(config: Config, value: string | null | undefined): AuthProvider {
  const known =
    value && value === config.oidc?.name ? 'OAUTH_IDP' : authProviders.find((name) => name === value);
  if (known) return known;
  throw badRequestWithDetail(
    value ? `There is no provider "${value.slice(0, 50)}".` : 'Say which provider to use.',
    {
      field: 'provider',
      error: value ? 'INVALID_PROVIDER' : 'REQUIRED',
    },
  );
}

const emailLogin = z.object({ input: z.object({ email: emailSchema, password: currentPasswordSchema }) });
const guestLogin = z.object({ input: z.object({ phoneNumber: optionalInput(phoneSchema) }) });
const oauthLogin = z.object({
  input: z.object({ code: requiredTextSchema(500), originUrl: requiredTextSchema(2048) }),
});

interface LoginArgs {
  input?: Partial<Record<'provider' | 'signInWith' | 'email' | 'password', string | null>>;
}

export type LoginCredentials =
  | ({ provider: 'EMAIL' } & z.output<typeof emailLogin>['input'])
  | ({ provider: 'GUEST' } & z.output<typeof guestLogin>['input'])
  | ({ provider: 'OAUTH_IDP' } & z.output<typeof oauthLogin>['input']);

/** At login, what is missing or malformed makes a bad request, not an invalid one. */
export function parseLoginInput(
  ctx: Context,
  args: unknown,
  known: readonly ErrorDetail[] = [],
): LoginCredentials {
  const { signInWith, email, password, ...input } = (args as LoginArgs).input ?? {};
  if (signInWith != null && input.provider != null)
    throw badRequestWithDetail('Give this, or provider, not both.', {
      field: 'signInWith',
      error: 'INVALID_VALUE',
    });
  if (known.some(({ field }) => field.endsWith('signInWith')))
    malformedIfInvalid(() => parseInput(z.unknown(), args, known));
  const named = signInWith ?? input.provider;
  // Older clients leave it out where the rest says it.
  const provider = requireAuthProvider(ctx.config, named ?? (email && password ? 'EMAIL' : undefined));
  const checked = <Schema extends z.ZodType>(check: Schema) =>
    malformedIfInvalid(() => parseInput(check, args, known));
  switch (provider) {
    case 'EMAIL':
      return { provider, ...checked(emailLogin).input };
    case 'GUEST':
      return { provider, ...checked(guestLogin).input };
    case 'OAUTH_IDP':
      return { provider, ...checked(oauthLogin).input };
    case 'API':
      throw badRequestWithDetail('An API key is sent with each request: there is nothing to log in to.', {
        field: 'provider',
        error: 'INVALID_PROVIDER',
      });
  }
}

/** The same with the form that the caller chose: one of them, as GraphQL makes sure. */
export const tryLoginSchema = z
  .object({
    by: z.object({
      email: optionalInput(emailLogin.shape.input),
      guest: optionalInput(guestLogin.shape.input),
      oauth: optionalInput(oauthLogin.shape.input),
    }),
  })
  .transform(({ by: { email, guest, oauth } }): LoginCredentials => {
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
  requiredTextSchema(2048).transform((value, ctx) => {
    const url = parseAllowedUrl(config, value);
    if (url) return url;
    ctx.addIssue(customIssue(error, 'This address is not on the allow list.'));
    return z.NEVER;
  });

export const loginUrlSchema = (config: Config) =>
  z.object({
    provider: optionalInput(textSchema(50)),
    originUrl: allowedUrlCheck(config, 'INVALID_ORIGIN_URI').transform((url) => url.origin),
    redirectUrl: allowedUrlCheck(config, 'INVALID_REDIRECT_URI').transform((url) => url.href),
  });

export const refreshSessionSchema = z.object({
  input: z.object({ provider: optionalInput(textSchema(50)), refreshToken: requiredTextSchema(4000) }),
});

export const logoutSchema = (config: Config) =>
  z.object({
    input: z.object({
      provider: optionalInput(textSchema(50)),
      token: optionalInput(textSchema(4000)),
      originUrl: optionalInput(allowedUrlCheck(config, 'INVALID_ORIGIN_URI')),
    }),
  });
