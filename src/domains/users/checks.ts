/** What callers of the account operations must send. */
import { z } from 'zod';
import type { Provider } from '../../auth/tokens.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { AppError, type ErrorDetail } from '../../errors.ts';
import { distinct, optional, pageFields, parse, requiredText, rule, text } from '../../lib/input.ts';
import { allowedUrl } from '../../lib/origins.ts';
import { linkBase } from './origins.ts';
import {
  cleanName,
  hintsOf,
  isMasked,
  maxPassword,
  minApiKey,
  normaliseEmail,
  normalisePhone,
  passwordFault,
} from './rules.ts';

const emailCheck = z.string().transform((value, ctx) => {
  const email = normaliseEmail(value);
  if (email !== undefined) return email;
  ctx.addIssue({ code: 'custom', ...custom('INVALID_EMAIL', 'Must be an email address.') });
  return z.NEVER;
});

const phoneCheck = z.string().transform((value, ctx) => {
  const phone = normalisePhone(value);
  if (phone !== undefined) return phone;
  ctx.addIssue({
    code: 'custom',
    ...custom('INVALID_PHONE_NUMBER', 'Must be a phone number in international form, such as +4930123456.'),
  });
  return z.NEVER;
});

const custom = (error: string, message: string) => ({ message, params: { error } });

const present = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
  .refine((value) => value !== '', {
    ...rule('PASSWORD_REQUIRED', 'The password is required.'),
    abort: true,
  });

/** A password somebody claims to have. */
const givenPassword = present.refine(
  (value) => value.length <= 4 * maxPassword,
  rule('PASSWORD_WRONG', 'This is longer than any password.'),
);

/** A password somebody wants to have from now on. */
const newPassword = present.superRefine((value, ctx) => {
  const fault = passwordFault(value);
  if (fault) ctx.addIssue({ code: 'custom', ...custom('PASSWORD_WEAK', fault) });
});

const personName = text(200).transform(cleanName);

/** The address that links in mails begin with. */
const linkBaseCheck = (config: Config) =>
  optional(text(2048)).transform((value, ctx) => {
    const base = linkBase(config, value?.trim() || undefined);
    if (base !== undefined) return base;
    ctx.addIssue({
      code: 'custom',
      ...custom('INVALID_ORIGIN_URI', 'This address is not on the allow list.'),
    });
    return z.NEVER;
  });

const allowedUrlCheck = (config: Config, error: string) =>
  requiredText(2048).transform((value, ctx) => {
    const url = allowedUrl(config, value);
    if (url) return url;
    ctx.addIssue({ code: 'custom', ...custom(error, 'This address is not on the allow list.') });
    return z.NEVER;
  });

export const registerCheck = (config: Config) =>
  z.object({
    input: z
      .object({
        provider: optional(text(50)),
        email: emailCheck,
        password: newPassword,
        reserveDomain: linkBaseCheck(config),
        name: optional(personName),
        firstName: optional(personName),
        lastName: optional(personName),
      })
      .superRefine(({ email, password }, ctx) => {
        // What is wrong with the password by itself has been said already.
        const fault = passwordFault(password) ? undefined : passwordFault(password, hintsOf(email));
        if (fault) ctx.addIssue({ code: 'custom', path: ['password'], ...custom('PASSWORD_WEAK', fault) });
      })
      .transform(({ reserveDomain, ...input }) => ({ ...input, linkBase: reserveDomain })),
  });

export const tokenCheck = z.object({ token: requiredText(4000) });

export const forgotPasswordCheck = (config: Config) =>
  z.object({
    input: z
      .object({ email: emailCheck, reserveDomain: linkBaseCheck(config) })
      .transform(({ email, reserveDomain }) => ({ email, linkBase: reserveDomain })),
  });

export const resetForgottenCheck = z.object({
  input: z.object({ token: requiredText(4000), password: newPassword }),
});

export const changePasswordCheck = z.object({
  input: z.object({ oldPassword: givenPassword, newPassword }),
});

export const deleteMeCheck = z.object({ password: optional(text(4 * maxPassword)) });

export const phoneNumberCheck = z.object({ phoneNumber: phoneCheck });
export const confirmPhoneCheck = z.object({
  input: z.object({ phoneNumber: phoneCheck, code: requiredText(20) }),
});

const providers = ['EMAIL', 'OAUTH_IDP', 'GUEST', 'API'] as const satisfies readonly Provider[];

/** The provider that a wire value names; a deployment may have its own name for `OAUTH_IDP`. */
export function providerOf(config: Config, value: string | null | undefined): Provider {
  const known = value && value === config.oidc?.name ? 'OAUTH_IDP' : providers.find((name) => name === value);
  if (known) return known;
  throw badRequest(value ? `There is no provider "${value.slice(0, 50)}".` : 'Say which provider to use.', {
    field: 'provider',
    error: value ? 'INVALID_PROVIDER' : 'REQUIRED',
  });
}

export const badRequest = (message: string, detail: { field: string; error: string }) =>
  new AppError('BAD_REQUEST', message, { details: [{ ...detail, message }] });

const emailLogin = z.object({ input: z.object({ email: emailCheck, password: givenPassword }) });
const guestLogin = z.object({ input: z.object({ phoneNumber: optional(phoneCheck) }) });
const oauthLogin = z.object({ input: z.object({ code: requiredText(500), originUrl: requiredText(2048) }) });

interface LoginArgs {
  input: { provider?: string | null | undefined };
}

export type LoginInput =
  | ({ provider: 'EMAIL' } & z.output<typeof emailLogin>['input'])
  | ({ provider: 'GUEST' } & z.output<typeof guestLogin>['input'])
  | ({ provider: 'OAUTH_IDP' } & z.output<typeof oauthLogin>['input']);

/** At login, what is missing or malformed makes a bad request, not an invalid one. */
export function parseLogin(ctx: Context, args: unknown, known: readonly ErrorDetail[] = []): LoginInput {
  const provider = providerOf(ctx.config, (args as LoginArgs).input?.provider);
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

function malformedIfInvalid<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
    throw new AppError('BAD_REQUEST', error.message, { details: error.details });
  }
}

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

const addressLine = optional(text(200));
const address = z.object({
  street: addressLine,
  city: addressLine,
  state: addressLine,
  zip: addressLine,
  country: addressLine,
});

const apiToken = z.object({
  id: optional(requiredText(100)),
  name: optional(text(200)).transform((value) => cleanName(value ?? '')),
  value: optional(z.string())
    .transform((value) => (value === undefined || value === '' || isMasked(value) ? undefined : value))
    .superRefine((value, ctx) => {
      if (value === undefined) return;
      if (value.length < minApiKey) {
        ctx.addIssue({
          code: 'custom',
          ...custom('TOO_SHORT', `Must have at least ${minApiKey} characters.`),
        });
      }
      if (!/^[\x21-\x7e]{1,200}$/.test(value)) {
        ctx.addIssue({
          code: 'custom',
          ...custom('INVALID_VALUE', 'Must be at most 200 printable ASCII characters without spaces.'),
        });
      }
    }),
  provider: optional(
    z.string().refine((value) => value === 'API', rule('INVALID_PROVIDER', 'The provider of a key is API.')),
  ),
});

export type ApiTokenInput = z.output<typeof apiToken>;

const settings = z
  .record(z.string().max(200), z.unknown(), 'Must be an object.')
  .refine((value) => JSON.stringify(value).length <= 16_384, rule('TOO_LONG', 'Must be at most 16 KB.'));

export const updateMeCheck = z.object({
  version: optional(z.number().int()),
  input: z.object({
    name: optional(personName),
    phoneNumbers: optional(
      z
        .array(phoneCheck)
        .max(20, 'Must have at most 20 numbers.')
        .transform((numbers) => [...new Set(numbers)]),
    ),
    addresses: optional(z.array(address).max(50, 'Must have at most 50 addresses.')),
    apiTokens: optional(
      distinct(
        z.array(apiToken).max(50, 'Must have at most 50 keys.'),
        'id',
        'DUPLICATE_ID',
        'Each id may occur once.',
      ),
    ),
    businessUserConfigs: optional(
      distinct(
        z.array(z.object({ businessId: z.uuid('Must be the id of a business.'), settings })).max(100),
        'businessId',
        'DUPLICATE_BUSINESS',
        'Each business may occur once.',
      ),
    ),
    lifecycle: optional(z.object({ onboardingCompleted: optional(z.boolean()) })),
  }),
});

export type UpdateMe = z.output<typeof updateMeCheck>;

export const searchCheck = z.object({
  ...pageFields,
  businessId: optional(z.string()),
  query: optional(text(200)),
  roleIds: optional(z.array(z.string()).max(100)),
});
export const membersCheck = z.object({ ...pageFields, businessId: z.string() });
export const ownPageCheck = z.object(pageFields);

export const setRoleCheck = z.object({
  input: z.object({ userId: requiredText(100), roleId: requiredText(100), businessId: optional(text(100)) }),
});
