/** The query of usage. It needs ADMIN. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { inBusiness } from '../../graphql/scopes.ts';
import { mostDays, standardDays, usageCheck } from './checks.ts';
import { listUsage } from './list-usage.ts';
import { UsageKindEnum, UsedType } from './types.ts';

builder.queryField('usage', (t) =>
  t.field({
    type: [UsedType],
    description:
      "What the API keys of a business's members were used for in it, most used first, at most 1000 lines. Needs ADMIN.",
    authScopes: inBusiness('ADMIN'),
    complexity: { field: 50, multiplier: 20 },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      days: t.arg.int({
        description: `How many days to look back, ${standardDays} by default, at most ${mostDays}.`,
      }),
      kind: t.arg({ type: UsageKindEnum, description: 'Only this kind.' }),
    },
    ...checked(usageCheck, (args, ctx) => listUsage(ctx, args)),
  }),
);
