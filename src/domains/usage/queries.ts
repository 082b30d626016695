/** The `usage` query. Needs ADMIN. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { listApiUsage } from './list-api-usage.ts';
import { defaultUsageDays, listApiUsageSchema, maxUsageDays } from './schemas.ts';
import { UsageGraphqlType, UsageKindEnum } from './types.ts';

builder.queryField('usage', (t) =>
  t.field({
    type: [UsageGraphqlType],
    description:
      'API usage of a business by the API keys of its members, most calls first, up to 1,000 rows. Needs ADMIN.',
    authScopes: permissionInBusinessScope('ADMIN'),
    complexity: { field: 50, multiplier: 20 },
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      days: ['Int', `Number of days to include. Default: ${defaultUsageDays}, maximum: ${maxUsageDays}.`],
      kind: [UsageKindEnum, 'Only usage of this kind.'],
    }),
    ...validatedField(listApiUsageSchema, listApiUsage),
  }),
);
