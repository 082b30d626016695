/** GraphQL queries of the request log. Need REQUESTS_READ. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { listLoggedRequests } from './list-requests.ts';
import { findRequestLogSettings } from './request-log-settings.ts';
import {
  defaultRequestSummaryDays,
  listRequestsSchema,
  maxRequestSummaryDays,
  summarizeRequestsSchema,
} from './schemas.ts';
import { listRequestClients, listRequestErrors } from './summarize-requests.ts';
import {
  LoggedRequestConnection,
  RequestClientGraphqlType,
  RequestErrorGroupGraphqlType,
  RequestLogSettingsGraphqlType,
  RequestProtocolEnum,
} from './types.ts';

const daysDescription = `Number of days to include. Default: ${defaultRequestSummaryDays}, maximum: ${maxRequestSummaryDays}.`;

builder.queryFields((t) => ({
  requests: t.field({
    type: LoggedRequestConnection,
    description:
      'Requests that addressed a business in the last days, newest first. A busy business has a sample of its successes. Needs REQUESTS_READ.',
    authScopes: permissionInBusinessScope('REQUESTS_READ'),
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      requestId: ['String', 'Only the request with this `X-Request-Id`.'],
      protocol: [RequestProtocolEnum, 'Only requests of this protocol.'],
      failed: ['Boolean', 'true: only errors; false: only successes.'],
      code: ['String', 'Only requests with this error code.'],
      operation: ['String', 'Only requests of this route or operation name.'],
      client: ['String', 'Only requests of this client name or id of an API key.'],
      since: ['Timestamp', 'Only requests at or after this time.'],
      until: ['Timestamp', 'Only requests before this time.'],
      ...pageArgs,
    }),
    ...validatedField(listRequestsSchema, listLoggedRequests),
  }),
  requestErrors: t.field({
    type: [RequestErrorGroupGraphqlType],
    description:
      'Failed requests of a business by operation and error code, most requests first, up to 100 groups. Needs REQUESTS_READ.',
    authScopes: permissionInBusinessScope('REQUESTS_READ'),
    complexity: { field: 50, multiplier: 20 },
    args: fieldArgs({ businessId: ['ID!', 'The business.'], days: ['Int', daysDescription] }),
    ...validatedField(summarizeRequestsSchema, listRequestErrors),
  }),
  requestClients: t.field({
    type: [RequestClientGraphqlType],
    description:
      'Clients of a business with their API versions, most logged requests first, up to 200 rows. Needs REQUESTS_READ.',
    authScopes: permissionInBusinessScope('REQUESTS_READ'),
    complexity: { field: 50, multiplier: 20 },
    args: fieldArgs({ businessId: ['ID!', 'The business.'], days: ['Int', daysDescription] }),
    ...validatedField(summarizeRequestsSchema, listRequestClients),
  }),
  requestLogSettings: t.field({
    type: RequestLogSettingsGraphqlType,
    description: 'Settings and limits of the request log of a business. Needs REQUESTS_READ.',
    authScopes: permissionInBusinessScope('REQUESTS_READ'),
    args: fieldArgs({ businessId: ['ID!', 'The business.'] }),
    resolve: (_root, { businessId }, ctx) => findRequestLogSettings(ctx, businessId),
  }),
}));
