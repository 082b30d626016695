/** The query of usage. It needs ADMIN. */

import { permissionInBusiness } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { listUsage } from './list-usage.ts';
import { defaultUsageDays, maxUsageDays, usageSchema } from './schemas.ts';
import { UsageKindEnum, UsageType } from './types.ts';

builder.queryField('usage', (t) =>
  t.field({
    type: [UsageType],
    description:
      "What the API keys of a business's members were used for in it, most used first, at most 1000 lines. Needs ADMIN.",
    authScopes: permissionInBusiness('ADMIN'),
    complexity: { field: 50, multiplier: 20 },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      days: t.arg.int({
        description: `How many days to look back, ${defaultUsageDays} by default, at most ${maxUsageDays}.`,
      }),
      kind: t.arg({ type: UsageKindEnum, description: 'Only this kind.' }),
    },
    ...validatedField(usageSchema, (args, ctx) => listUsage(ctx, args)),
  }),
);
