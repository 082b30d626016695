/** GraphQL mutation of branding. Needs ADMIN. */
import { permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { updateBranding } from './find-and-update-branding.ts';
import { UpdateBrandingInput } from './inputs.ts';
import { updateBrandingSchema } from './schemas.ts';
import { BrandingPayload } from './types.ts';

builder.mutationFields((t) => ({
  updateBranding: t.field({
    type: BrandingPayload,
    description: 'Changes the appearance of a business in mails and pages. Needs ADMIN.',
    authScopes: permissionOnRecordScope('ADMIN', 'Business'),
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      version: ['Int', 'Expected version: fails with PRECONDITION_FAILED when the current version differs.'],
      ...inputArg(UpdateBrandingInput, 'Fields to change.'),
    }),
    ...validatedField(updateBrandingSchema, asPayload('branding', updateBranding)),
  }),
}));
