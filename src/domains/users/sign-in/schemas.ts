/** Zod schemas of `login`, `tryLogin`, `loginUrl`, `refresh` and `logout`. */
import { z } from 'zod';
import { type AuthProvider, authProviders } from '../../../auth/sign-and-verify-tokens.ts';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { parseUrlOnAllowedOrigin } from '../../../lib/net/parse-url-on-allowed-origin.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  optionalInput,
  parseInput,
} from '../../../lib/validation/input.ts';
import {
  asBadRequest,
  badRequestWithDetail,
  createDetailCodeIssue,
  currentPasswordSchema,
  emailSchema,
  phoneSchema,
} from '../schemas.ts';

/** Provider of an API value. A deployment can configure its own name for `OAUTH_IDP` (OIDC_NAME). */
export function parseAuthProvider(config: Config, value: string | null | undefined): AuthProvider {
  const provider =
    value && value === config.oidc?.name ? 'OAUTH_IDP' : authProviders.find((name) => name === value);
  if (provider) return provider;
  const names = ['EMAIL', 'GUEST', ...(config.oidc ? [config.oidc.name] : [])].join(', ');
  throw badRequestWithDetail(
    value
      ? `Unknown provider "${value.slice(0, 50)}". Must be one of ${names}.`
      : `The provider is required: one of ${names}.`,
    { field: 'provider', error: value ? 'INVALID_PROVIDER' : 'REQUIRED' },
  );
}

const emailLogin = z.object({ input: z.object({ email: emailSchema, password: currentPasswordSchema }) });
const guestLogin = z.object({ input: z.object({ phoneNumber: optionalInput(phoneSchema) }) });
const oauthLogin = z.object({
  input: z.object({ code: buildRequiredTextSchema(500), originUrl: buildRequiredTextSchema(2048) }),
});

interface LoginArgs {
  input?: Partial<Record<'provider' | 'signInWith' | 'email' | 'password', string | null>>;
}

export type LoginCredentials =
  | ({ provider: 'EMAIL' } & z.output<typeof emailLogin>['input'])
  | ({ provider: 'GUEST' } & z.output<typeof guestLogin>['input'])
  | ({ provider: 'OAUTH_IDP' } & z.output<typeof oauthLogin>['input']);

/** Parses the arguments of `login`. Missing and malformed fields are BAD_REQUEST here, not VALIDATION_FAILED. */
export function parseLoginInput(
  ctx: Context,
  args: unknown,
  coercionErrors: readonly ErrorDetail[] = [],
): LoginCredentials {
  const { signInWith, email, password, ...input } = (args as LoginArgs).input ?? {};
  if (signInWith != null && input.provider != null)
    throw badRequestWithDetail('Use either signInWith or provider, not both.', {
      field: 'signInWith',
      error: 'INVALID_VALUE',
    });
  if (coercionErrors.some(({ field }) => field.endsWith('signInWith')))
    asBadRequest(() => parseInput(z.unknown(), args, coercionErrors));
  const requestedProvider = signInWith ?? input.provider;
  // Older clients omit the provider when they send email and password.
  const provider = parseAuthProvider(
    ctx.config,
    requestedProvider ?? (email && password ? 'EMAIL' : undefined),
  );
  const parsed = <Schema extends z.ZodType>(schema: Schema) =>
    asBadRequest(() => parseInput(schema, args, coercionErrors));
  switch (provider) {
    case 'EMAIL':
      return { provider, ...parsed(emailLogin).input };
    case 'GUEST':
      return { provider, ...parsed(guestLogin).input };
    case 'OAUTH_IDP':
      return { provider, ...parsed(oauthLogin).input };
    case 'API':
      throw badRequestWithDetail('API keys need no login: send the key with each request.', {
        field: 'provider',
        error: 'INVALID_PROVIDER',
      });
  }
}

/** Arguments of `tryLogin`. `LoginByInput` is a @oneOf input, so exactly one member is present. */
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

const allowedUrlSchema = (config: Config, error: DetailCode) =>
  buildRequiredTextSchema(2048).transform((value, ctx) => {
    const url = parseUrlOnAllowedOrigin(config, value);
    if (url) return url;
    ctx.addIssue(createDetailCodeIssue(error, 'This URL is not on the allow list (ALLOWED_ORIGINS).'));
    return z.NEVER;
  });

export const buildLoginUrlSchema = (config: Config) =>
  z.object({
    provider: optionalInput(buildTextSchema(50)),
    originUrl: allowedUrlSchema(config, 'INVALID_ORIGIN_URI').transform((url) => url.origin),
    redirectUrl: allowedUrlSchema(config, 'INVALID_REDIRECT_URI').transform((url) => url.href),
  });

export const refreshSessionSchema = z.object({
  input: z.object({
    provider: optionalInput(buildTextSchema(50)),
    refreshToken: buildRequiredTextSchema(4000),
    rotate: optionalInput(z.boolean()),
  }),
});

export const buildLogoutSchema = (config: Config) =>
  z.object({
    input: z.object({
      provider: optionalInput(buildTextSchema(50)),
      token: optionalInput(buildTextSchema(4000)),
      originUrl: optionalInput(allowedUrlSchema(config, 'INVALID_ORIGIN_URI')),
    }),
  });
