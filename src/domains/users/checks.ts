/** What emails, phone numbers and passwords must look like, and what the operations with nothing else need. */

import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { AppError } from '../../errors.ts';
import { optional, requiredText, rule, text } from '../../lib/input.ts';
import { linkBase } from './origins.ts';
import { cleanName, hintsOf, maxPassword, normaliseEmail, normalisePhone, passwordFault } from './rules.ts';

/** For what is wrong with the request as a whole, not with a field of it. */
export const badRequest = (message: string, detail: { field: string; error: DetailCode }) =>
  new AppError('BAD_REQUEST', message, { details: [{ ...detail, message }] });

/** An issue that a check adds by hand. */
export const fault = (error: DetailCode, message: string) => ({
  code: 'custom' as const,
  message,
  params: { error },
});

export const emailCheck = z.string().transform((value, ctx) => {
  const email = normaliseEmail(value);
  if (email !== undefined) return email;
  ctx.addIssue(fault('INVALID_EMAIL', 'Must be an email address.'));
  return z.NEVER;
});

export const phoneCheck = z.string().transform((value, ctx) => {
  const phone = normalisePhone(value);
  if (phone !== undefined) return phone;
  ctx.addIssue(
    fault('INVALID_PHONE_NUMBER', 'Must be a phone number in international form, such as +4930123456.'),
  );
  return z.NEVER;
});

const present = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
  .refine((value) => value !== '', {
    ...rule('PASSWORD_REQUIRED', 'The password is required.'),
    abort: true,
  });

/** A password somebody claims to have. */
export const givenPassword = present.refine(
  (value) => value.length <= 4 * maxPassword,
  rule('PASSWORD_WRONG', 'This is longer than any password.'),
);

/** A password somebody wants to have from now on. */
const newPassword = present.superRefine((value, ctx) => {
  const weakness = passwordFault(value);
  if (weakness) ctx.addIssue(fault('PASSWORD_WEAK', weakness));
});

export const personName = text(200).transform(cleanName);

/** The address that links in mails begin with. */
const linkBaseCheck = (config: Config) =>
  optional(text(2048)).transform((value, ctx) => {
    const base = linkBase(config, value?.trim() || undefined);
    if (base !== undefined) return base;
    ctx.addIssue(fault('INVALID_ORIGIN_URI', 'This address is not on the allow list.'));
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
      .superRefine(({ email, password, reserveDomain }, ctx) => {
        // What is wrong with the password by itself has been said already.
        const weakness = passwordFault(password)
          ? undefined
          : passwordFault(password, hintsOf(email, reserveDomain));
        if (weakness) ctx.addIssue({ path: ['password'], ...fault('PASSWORD_WEAK', weakness) });
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
  input: z.object({
    token: requiredText(4000),
    password: newPassword,
    keepApiTokens: optional(z.boolean()),
  }),
});

export const changePasswordCheck = z.object({
  input: z.object({ oldPassword: givenPassword, newPassword }),
});

export const deleteMeCheck = z.object({ password: optional(text(4 * maxPassword)) });

export const phoneNumberCheck = z.object({ phoneNumber: phoneCheck });
export const confirmPhoneCheck = z.object({
  input: z.object({ phoneNumber: phoneCheck, code: requiredText(20) }),
});
