/** Zod schemas of email addresses, phone numbers and passwords, and of the account operations built from them. */
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { AppError } from '../../errors.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
} from '../../lib/validation/input.ts';
import {
  cleanPersonName,
  deriveGuessablePasswordWords,
  findPasswordWeakness,
  maxPasswordLength,
  normalizePhone,
  parseEmail,
} from './email-phone-and-password-rules.ts';
import { resolveMailLinkBaseUrl } from './messages/account-mail-links.ts';

/** BAD_REQUEST error with one detail, for requests that are wrong as a whole rather than in the value of a field. */
export const badRequestWithDetail = (message: string, detail: { field: string; error: DetailCode }) =>
  new AppError('BAD_REQUEST', message, { details: [{ ...detail, message }] });

/** Runs a validation whose errors are BAD_REQUEST instead of VALIDATION_FAILED. */
export function asBadRequest<T>(validate: () => T): T {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
    throw new AppError('BAD_REQUEST', error.message, { details: error.details });
  }
}

/** Custom zod issue with a detail code. */
export const createDetailCodeIssue = (error: DetailCode, message: string) => ({
  code: 'custom' as const,
  message,
  params: { error },
});

export const emailSchema = z.string().transform((value, ctx) => {
  const email = parseEmail(value);
  if (email !== undefined) return email;
  ctx.addIssue(createDetailCodeIssue('INVALID_EMAIL', 'Must be an email address.'));
  return z.NEVER;
});

export const phoneSchema = z.string().transform((value, ctx) => {
  const phone = normalizePhone(value);
  if (phone !== undefined) return phone;
  ctx.addIssue(
    createDetailCodeIssue(
      'INVALID_PHONE_NUMBER',
      'Must be a phone number in international form, such as +4930123456.',
    ),
  );
  return z.NEVER;
});

const requiredPassword = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
  .refine((value) => value !== '', {
    ...detailCodeRefineOptions('PASSWORD_REQUIRED', 'The password is required.'),
    abort: true,
  });

/** Existing password that the caller claims to have. Strength rules do not apply; a value longer than any password is wrong. */
export const currentPasswordSchema = requiredPassword.refine(
  (value) => value.length <= 4 * maxPasswordLength,
  detailCodeRefineOptions(
    'PASSWORD_WRONG',
    'The password is wrong: it exceeds the maximum length of a password.',
  ),
);

/** New password: length and strength rules apply. */
const newPassword = requiredPassword.superRefine((value, ctx) => {
  const weakness = findPasswordWeakness(value);
  if (weakness) ctx.addIssue(createDetailCodeIssue('PASSWORD_WEAK', weakness));
});

export const personNameSchema = buildTextSchema(200).transform(cleanPersonName);

/** `reserveDomain`: base URL of the links in mails. Must be on the allow list; defaults to the gateway's own pages. */
const linkBaseSchema = (config: Config) =>
  optionalInput(buildTextSchema(2048)).transform((value, ctx) => {
    const base = resolveMailLinkBaseUrl(config, value?.trim() || undefined);
    if (base !== undefined) return base;
    ctx.addIssue(
      createDetailCodeIssue('INVALID_ORIGIN_URI', 'This URL is not on the allow list (ALLOWED_ORIGINS).'),
    );
    return z.NEVER;
  });

export const buildRegisterSchema = (config: Config) =>
  z.object({
    input: z
      .object({
        provider: optionalInput(buildTextSchema(50)),
        email: emailSchema,
        password: newPassword,
        reserveDomain: linkBaseSchema(config),
        name: optionalInput(personNameSchema),
        firstName: optionalInput(personNameSchema),
        lastName: optionalInput(personNameSchema),
      })
      .superRefine(({ email, password, reserveDomain }, ctx) => {
        // The `password` field has already reported weaknesses that do not depend on the email address and site.
        const weakness = findPasswordWeakness(password)
          ? undefined
          : findPasswordWeakness(password, deriveGuessablePasswordWords(email, reserveDomain));
        if (weakness)
          ctx.addIssue({ path: ['password'], ...createDetailCodeIssue('PASSWORD_WEAK', weakness) });
      })
      .transform(({ reserveDomain, ...input }) => ({ ...input, linkBase: reserveDomain })),
  });

export const oneTimeTokenSchema = z.object({ token: buildRequiredTextSchema(4000) });

/** Input of requests for a mail with a link. */
export const buildMailedLinkSchema = (config: Config) =>
  z.object({
    input: z
      .object({ email: emailSchema, reserveDomain: linkBaseSchema(config) })
      .transform(({ email, reserveDomain }) => ({ email, linkBase: reserveDomain })),
  });

export const resetForgottenPasswordSchema = z.object({
  input: z.object({
    token: buildRequiredTextSchema(4000),
    password: newPassword,
    keepApiTokens: optionalInput(z.boolean()),
  }),
});

export const changePasswordSchema = z.object({
  input: z.object({ oldPassword: currentPasswordSchema, newPassword }),
});

export const deleteMeSchema = z.object({ password: optionalInput(buildTextSchema(4 * maxPasswordLength)) });

export const sendPhoneCodeSchema = z.object({ phoneNumber: phoneSchema });
export const confirmPhoneNumberSchema = z.object({
  input: z.object({ phoneNumber: phoneSchema, code: buildRequiredTextSchema(20) }),
});
