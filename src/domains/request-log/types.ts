/** GraphQL types of the request log. */

import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { type OutputField, outputFields } from '../../graphql/schema/field-tables.ts';
import { createPayloadType, describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import type { LoggedRequest, loggedCallerKinds, loggedProtocols } from './model.ts';
import type { RequestLogSettings } from './request-log-settings.ts';
import type { RequestClientGroup, RequestErrorGroup } from './summarize-requests.ts';

export const RequestProtocolEnum = builder.enumType('RequestProtocol', {
  description: 'API that a client used.',
  values: describedEnumValues<(typeof loggedProtocols)[number]>({
    REST: 'A REST request.',
    GRAPHQL: 'A GraphQL request.',
  }),
});

const RequestCallerEnum = builder.enumType('RequestCaller', {
  description: 'Kind of caller of a request.',
  values: describedEnumValues<(typeof loggedCallerKinds)[number]>({
    API_KEY: 'A client with an API key.',
    USER: 'A signed-in user.',
    GUEST: 'A guest with an access token.',
    ANONYMOUS: 'A client without a valid access token or API key.',
  }),
});

const clientDescriptions = {
  clientName: 'Value of `X-Client-Name`; null when the client sent none.',
  keyId: 'Id of the API key; null for other callers and for callers that are no members.',
  keyName: 'Name of the API key; null once it is revoked.',
  apiVersion: 'Value of `X-Duet-Version`; null for the default version and for GraphQL.',
} as const;

const adviceDescription = 'What to do about the error; null for a success and for a code without advice.';

const LoggedRequestGraphqlType = builder.objectRef<LoggedRequest>('LoggedRequest').implement({
  description:
    'A request that addressed a business, with its outcome. Secrets and personal data are replaced by `[redacted]`.',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the entry.'],
        businessId: ['ID!', 'Id of the business.'],
        requestId: ['ID!', '`X-Request-Id` of the request.'],
        protocol: t.expose('protocol', {
          type: RequestProtocolEnum,
          description: 'Protocol of the request.',
        }),
        method: ['String!', 'HTTP method.'],
        operation: ['String!', 'REST route, or name of the GraphQL operation: `anonymous` when it has none.'],
        path: ['String!', 'Path with query.'],
        isWrite: ['Boolean!', 'Whether the operation may change data.'],
        status: ['Int!', 'HTTP status of the response.'],
        code: ['String', 'Error code; null for a success.'],
        message: ['String', 'Message of the error; null for a success.'],
        details: [
          'JSON',
          'Error details, a list of `field`, `error` and `message`; null when there are none.',
        ],
        advice: ['String', adviceDescription],
        durationMs: ['Float!', 'Time until the response, in milliseconds.'],
        caller: t.expose('caller', { type: RequestCallerEnum, description: 'Kind of caller.' }),
        userId: ['ID', 'Id of the user or owner of the API key; null when the caller is no member.'],
        userName: ['String', 'Current name of that user; null once the account is deleted.'],
        keyId: ['ID', clientDescriptions.keyId],
        keyName: ['String', clientDescriptions.keyName],
        clientName: ['String', clientDescriptions.clientName],
        apiVersion: ['String', clientDescriptions.apiVersion],
        body: [
          'JSON',
          'Body of the request; null when bodies were not recorded, or when the body was too long or might contain a password.',
        ],
        createdAt: ['Timestamp!', 'Time of the response.'],
      }) satisfies Record<keyof LoggedRequest, OutputField>,
  ),
});

export const LoggedRequestConnection = createConnectionType('LoggedRequest', LoggedRequestGraphqlType);

export const RequestErrorGroupGraphqlType = builder
  .objectRef<RequestErrorGroup>('RequestErrorGroup')
  .implement({
    description: 'Failed requests of a business with the same operation and error code.',
    fields: outputFields(
      (t) =>
        ({
          protocol: t.expose('protocol', {
            type: RequestProtocolEnum,
            description: 'Protocol of the requests.',
          }),
          operation: ['String!', 'REST route, or name of the GraphQL operation.'],
          code: ['String!', 'Error code.'],
          message: ['String', 'Message of the last error; null when the response had none.'],
          advice: ['String', adviceDescription],
          requests: ['Int!', 'Number of requests.'],
          clients: ['Int!', 'Number of distinct API keys, users and client names.'],
          firstAt: ['Timestamp!', 'Time of the first request.'],
          lastAt: ['Timestamp!', 'Time of the last request.'],
          lastRequestId: ['ID!', '`X-Request-Id` of the last request.'],
        }) satisfies Record<keyof RequestErrorGroup, OutputField>,
    ),
  });

export const RequestClientGraphqlType = builder.objectRef<RequestClientGroup>('RequestClient').implement({
  description: 'Logged requests of one client of a business in one protocol and API version.',
  fields: outputFields(
    (t) =>
      ({
        caller: t.expose('caller', { type: RequestCallerEnum, description: 'Kind of caller.' }),
        protocol: t.expose('protocol', {
          type: RequestProtocolEnum,
          description: 'Protocol of the requests.',
        }),
        clientName: ['String', clientDescriptions.clientName],
        keyId: ['ID', clientDescriptions.keyId],
        keyName: ['String', clientDescriptions.keyName],
        apiVersion: ['String', clientDescriptions.apiVersion],
        requests: ['Int!', 'Number of logged requests.'],
        errors: ['Int!', 'Number of those that failed.'],
        lastAt: ['Timestamp!', 'Time of the last request.'],
      }) satisfies Record<keyof RequestClientGroup, OutputField>,
  ),
});

export const RequestLogSettingsGraphqlType = builder
  .objectRef<RequestLogSettings>('RequestLogSettings')
  .implement({
    description: 'Settings and limits of the request log of a business.',
    fields: outputFields({
      businessId: ['ID!', 'Id of the business.'],
      enabled: ['Boolean!', 'Whether the gateway records requests: `REQUEST_LOG` is not off.'],
      bodiesUntil: ['Timestamp', 'Time until which bodies are recorded; null when they are not.'],
      retentionDays: ['Int!', 'Entries are deleted after this time.'],
      maxRequests: ['Int!', 'The oldest entries beyond this number are deleted every hour.'],
      skippedToday: [
        'Float!',
        'Requests since midnight UTC that were not recorded, because the share was used up.',
      ],
    } satisfies Record<keyof RequestLogSettings, OutputField>),
  });

export const RequestLogSettingsPayload = createPayloadType(
  'RequestLogSettingsPayload',
  'settings',
  RequestLogSettingsGraphqlType,
);
