/** Zod schema and parser of `updateMe`. */
import { z } from 'zod';
import { permissions } from '../../../auth/permissions-and-default-roles.ts';
import { authProviders } from '../../../auth/sign-and-verify-tokens.ts';
import type { Context } from '../../../context.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  parseInput,
  requireDistinctItems,
} from '../../../lib/validation/input.ts';
import { cleanPersonName, isMaskedApiKey, minApiKeyLength } from '../email-phone-and-password-rules.ts';
import { asBadRequest, createDetailCodeIssue, personNameSchema, phoneSchema } from '../schemas.ts';

const addressLine = optionalInput(buildTextSchema(200));
const address = z.object({
  id: optionalInput(buildRequiredTextSchema(100)).transform((id) => id ?? newId()),
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
  id: optionalInput(buildRequiredTextSchema(100)),
  name: optionalInput(buildTextSchema(200)).transform((value) => cleanPersonName(value ?? '')),
  value: optionalInput(z.string())
    .transform((value) => (value === undefined || value === '' || isMaskedApiKey(value) ? undefined : value))
    .superRefine((value, ctx) => {
      if (value === undefined) return;
      if (value.length < minApiKeyLength) {
        ctx.addIssue(createDetailCodeIssue('TOO_SHORT', `Must have at least ${minApiKeyLength} characters.`));
      }
      if (!/^[\x21-\x7e]{1,200}$/.test(value)) {
        ctx.addIssue(
          createDetailCodeIssue(
            'INVALID_VALUE',
            'Must be at most 200 printable ASCII characters without spaces.',
          ),
        );
      }
    }),
  provider: optionalInput(
    z
      .string()
      .refine(
        (value) => value === 'API',
        detailCodeRefineOptions('INVALID_PROVIDER', 'The provider of an API key must be API.'),
      ),
  ),
  permissions: optionalInput(
    z
      .array(z.enum(permissions))
      .max(50)
      .transform((list) => [...new Set(list)]),
  ),
  expiresAt: optionalInput(
    z
      .number()
      .int()
      .refine((value) => value > now(), detailCodeRefineOptions('INVALID_VALUE', 'Must be in the future.')),
  ),
});

export type ParsedApiKey = z.output<typeof apiToken>;

const settings = z
  .record(z.string().max(200), z.unknown(), 'Must be an object.')
  .refine(
    (value) => JSON.stringify(value).length <= 16_384,
    detailCodeRefineOptions('TOO_LONG', 'Must be at most 16 KB.'),
  );

const updateMeSchema = z.object({
  version: optionalInput(z.number().int()),
  input: z.object({
    name: optionalInput(personNameSchema),
    phoneNumber: optionalInput(phoneSchema),
    phoneNumbers: optionalInput(
      z
        .array(phoneSchema)
        .max(20, 'Must have at most 20 numbers.')
        .transform((numbers) => [...new Set(numbers)]),
    ),
    addresses: optionalInput(
      requireDistinctItems(
        z.array(address).max(50, 'Must have at most 50 addresses.'),
        'id',
        'DUPLICATE_ID',
        'Each id may occur once.',
      ),
    ),
    apiTokens: optionalInput(
      requireDistinctItems(
        z.array(apiToken).max(50, 'Must have at most 50 keys.'),
        'id',
        'DUPLICATE_ID',
        'Each id may occur once.',
      ),
    ),
    businessUserConfigs: optionalInput(
      requireDistinctItems(
        z.array(z.object({ businessId: z.uuid('Must be the id of a business.'), settings })).max(100),
        'businessId',
        'DUPLICATE_BUSINESS',
        'Each business may occur once.',
      ),
    ),
    lifecycle: optionalInput(z.object({ onboardingCompleted: optionalInput(z.boolean()) })),
  }),
});

export type UpdateMeArgs = z.output<typeof updateMeSchema>;

/** Parses the arguments of `updateMe`. An unknown provider of an API key is BAD_REQUEST, as in every other operation. */
export function parseUpdateMeInput(
  { config }: Context,
  args: unknown,
  coercionErrors: readonly ErrorDetail[] = [],
): UpdateMeArgs {
  const parse = () => parseInput(updateMeSchema, args, coercionErrors);
  const apiTokens = (args as { input?: { apiTokens?: unknown } }).input?.apiTokens;
  const providers = (Array.isArray(apiTokens) ? apiTokens : []).map(
    (token: { provider?: unknown } | null) => token?.provider,
  );
  const known: unknown[] = [...authProviders, config.oidc?.name, undefined, null];
  return providers.every((provider) => known.includes(provider)) ? parse() : asBadRequest(parse);
}
