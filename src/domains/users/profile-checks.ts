/** What callers must send to change their own account. */
import { z } from 'zod';
import { permissions } from '../../auth/permissions.ts';
import { newId } from '../../lib/ids.ts';
import { distinct, optional, requiredText, rule, text } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { fault, personName, phoneCheck } from './checks.ts';
import { cleanName, isMasked, minApiKey } from './rules.ts';

const addressLine = optional(text(200));
const address = z.object({
  id: optional(requiredText(100)).transform((id) => id ?? newId()),
  name: addressLine,
  company: addressLine,
  street: addressLine,
  line2: addressLine,
  city: addressLine,
  state: addressLine,
  zip: addressLine,
  country: addressLine,
  phone: addressLine,
});

const apiToken = z.object({
  id: optional(requiredText(100)),
  name: optional(text(200)).transform((value) => cleanName(value ?? '')),
  value: optional(z.string())
    .transform((value) => (value === undefined || value === '' || isMasked(value) ? undefined : value))
    .superRefine((value, ctx) => {
      if (value === undefined) return;
      if (value.length < minApiKey) {
        ctx.addIssue(fault('TOO_SHORT', `Must have at least ${minApiKey} characters.`));
      }
      if (!/^[\x21-\x7e]{1,200}$/.test(value)) {
        ctx.addIssue(
          fault('INVALID_VALUE', 'Must be at most 200 printable ASCII characters without spaces.'),
        );
      }
    }),
  provider: optional(
    z.string().refine((value) => value === 'API', rule('INVALID_PROVIDER', 'The provider of a key is API.')),
  ),
  permissions: optional(
    z
      .array(z.enum(permissions))
      .max(50)
      .transform((list) => [...new Set(list)]),
  ),
  expiresAt: optional(
    z
      .number()
      .int()
      .refine((value) => value > now(), rule('INVALID_VALUE', 'Must be in the future.')),
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
    phoneNumber: optional(phoneCheck),
    phoneNumbers: optional(
      z
        .array(phoneCheck)
        .max(20, 'Must have at most 20 numbers.')
        .transform((numbers) => [...new Set(numbers)]),
    ),
    addresses: optional(
      distinct(
        z.array(address).max(50, 'Must have at most 50 addresses.'),
        'id',
        'DUPLICATE_ID',
        'Each id may occur once.',
      ),
    ),
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
