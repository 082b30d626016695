/** Email address and phone number of a purchase, for customers without an account. */
import { z } from 'zod';
import type { DetailCode } from '../../../detail-codes.ts';
import { optionalInput } from '../../../lib/validation/input.ts';
import { normalizePhone, parseEmail } from '../../users/email-phone-and-password-rules.ts';
import { createDetailCodeIssue } from '../../users/schemas.ts';

/** An empty string is accepted: it clears the value of a cart. */
const clearableContact = (parse: (value: string) => string | undefined, error: DetailCode, message: string) =>
  optionalInput(
    z.string().transform((value, ctx) => {
      const contact = value.trim() === '' ? '' : parse(value);
      if (contact !== undefined) return contact;
      ctx.addIssue(createDetailCodeIssue(error, message));
      return z.NEVER;
    }),
  );

export const contactSchemaFields = {
  email: clearableContact(parseEmail, 'INVALID_EMAIL', 'Must be an email address.'),
  phone: clearableContact(
    normalizePhone,
    'INVALID_PHONE_NUMBER',
    'Must be a phone number in international form, such as +4930123456.',
  ),
};
