/** GraphQL query of branding. */
import { storefrontScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { findBranding } from './find-and-update-branding.ts';
import { BrandingGraphqlType } from './types.ts';

builder.queryFields((t) => ({
  branding: t.field({
    type: BrandingGraphqlType,
    nullable: true,
    description: 'Appearance of a business in mails and pages; null when the business does not exist.',
    authScopes: storefrontScope,
    args: fieldArgs({ businessId: ['ID!', 'The business.'] }),
    resolve: (_root, { businessId }, ctx) => findBranding(ctx, businessId),
  }),
}));
