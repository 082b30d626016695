/** GraphQL mutation of the request log. Needs ADMIN. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { UpdateRequestLogSettingsInput } from './inputs.ts';
import { updateRequestLogSettings } from './request-log-settings.ts';
import { updateRequestLogSettingsSchema } from './schemas.ts';
import { RequestLogSettingsPayload } from './types.ts';

builder.mutationFields((t) => ({
  updateRequestLogSettings: t.field({
    type: RequestLogSettingsPayload,
    description: 'Starts or stops the recording of request bodies. Needs ADMIN.',
    authScopes: permissionInBusinessScope('ADMIN'),
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      ...inputArg(UpdateRequestLogSettingsInput, 'Settings to change.'),
    }),
    ...validatedField(updateRequestLogSettingsSchema, async (ctx, { businessId, input }) => ({
      settings: await updateRequestLogSettings(ctx, businessId, input),
    })),
  }),
}));
