/** GraphQL types of the request log. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
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
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the entry.' }),
      businessId: t.exposeID('businessId', { description: 'Id of the business.' }),
      requestId: t.exposeID('requestId', { description: '`X-Request-Id` of the request.' }),
      protocol: t.expose('protocol', { type: RequestProtocolEnum, description: 'Protocol of the request.' }),
      method: t.exposeString('method', { description: 'HTTP method.' }),
      operation: t.exposeString('operation', {
        description: 'REST route, or name of the GraphQL operation: `anonymous` when it has none.',
      }),
      path: t.exposeString('path', { description: 'Path with query.' }),
      isWrite: t.exposeBoolean('isWrite', { description: 'Whether the operation may change data.' }),
      status: t.exposeInt('status', { description: 'HTTP status of the response.' }),
      code: t.exposeString('code', { nullable: true, description: 'Error code; null for a success.' }),
      message: t.exposeString('message', {
        nullable: true,
        description: 'Message of the error; null for a success.',
      }),
      details: t.expose('details', {
        type: 'JSON',
        nullable: true,
        description: 'Error details, a list of `field`, `error` and `message`; null when there are none.',
      }),
      advice: t.exposeString('advice', { nullable: true, description: adviceDescription }),
      durationMs: t.exposeFloat('durationMs', { description: 'Time until the response, in milliseconds.' }),
      caller: t.expose('caller', { type: RequestCallerEnum, description: 'Kind of caller.' }),
      userId: t.exposeID('userId', {
        nullable: true,
        description: 'Id of the user or owner of the API key; null when the caller is no member.',
      }),
      userName: t.exposeString('userName', {
        nullable: true,
        description: 'Current name of that user; null once the account is deleted.',
      }),
      keyId: t.exposeID('keyId', { nullable: true, description: clientDescriptions.keyId }),
      keyName: t.exposeString('keyName', { nullable: true, description: clientDescriptions.keyName }),
      clientName: t.exposeString('clientName', {
        nullable: true,
        description: clientDescriptions.clientName,
      }),
      apiVersion: t.exposeString('apiVersion', {
        nullable: true,
        description: clientDescriptions.apiVersion,
      }),
      body: t.expose('body', {
        type: 'JSON',
        nullable: true,
        description:
          'Body of the request; null when bodies were not recorded, or when the body was too long or might contain a password.',
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of the response.' }),
    }) satisfies Record<keyof LoggedRequest, unknown>,
});

export const LoggedRequestConnection = createConnectionType('LoggedRequest', LoggedRequestGraphqlType);

export const RequestErrorGroupGraphqlType = builder
  .objectRef<RequestErrorGroup>('RequestErrorGroup')
  .implement({
    description: 'Failed requests of a business with the same operation and error code.',
    fields: (t) =>
      ({
        protocol: t.expose('protocol', {
          type: RequestProtocolEnum,
          description: 'Protocol of the requests.',
        }),
        operation: t.exposeString('operation', {
          description: 'REST route, or name of the GraphQL operation.',
        }),
        code: t.exposeString('code', { description: 'Error code.' }),
        message: t.exposeString('message', {
          nullable: true,
          description: 'Message of the last error; null when the response had none.',
        }),
        advice: t.exposeString('advice', { nullable: true, description: adviceDescription }),
        requests: t.exposeInt('requests', { description: 'Number of requests.' }),
        clients: t.exposeInt('clients', {
          description: 'Number of distinct API keys, users and client names.',
        }),
        firstAt: t.expose('firstAt', { type: 'Timestamp', description: 'Time of the first request.' }),
        lastAt: t.expose('lastAt', { type: 'Timestamp', description: 'Time of the last request.' }),
        lastRequestId: t.exposeID('lastRequestId', { description: '`X-Request-Id` of the last request.' }),
      }) satisfies Record<keyof RequestErrorGroup, unknown>,
  });

export const RequestClientGraphqlType = builder.objectRef<RequestClientGroup>('RequestClient').implement({
  description: 'Logged requests of one client of a business in one protocol and API version.',
  fields: (t) =>
    ({
      caller: t.expose('caller', { type: RequestCallerEnum, description: 'Kind of caller.' }),
      protocol: t.expose('protocol', { type: RequestProtocolEnum, description: 'Protocol of the requests.' }),
      clientName: t.exposeString('clientName', {
        nullable: true,
        description: clientDescriptions.clientName,
      }),
      keyId: t.exposeID('keyId', { nullable: true, description: clientDescriptions.keyId }),
      keyName: t.exposeString('keyName', { nullable: true, description: clientDescriptions.keyName }),
      apiVersion: t.exposeString('apiVersion', {
        nullable: true,
        description: clientDescriptions.apiVersion,
      }),
      requests: t.exposeInt('requests', { description: 'Number of logged requests.' }),
      errors: t.exposeInt('errors', { description: 'Number of those that failed.' }),
      lastAt: t.expose('lastAt', { type: 'Timestamp', description: 'Time of the last request.' }),
    }) satisfies Record<keyof RequestClientGroup, unknown>,
});

export const RequestLogSettingsGraphqlType = builder
  .objectRef<RequestLogSettings>('RequestLogSettings')
  .implement({
    description: 'Settings and limits of the request log of a business.',
    fields: (t) =>
      ({
        businessId: t.exposeID('businessId', { description: 'Id of the business.' }),
        enabled: t.exposeBoolean('enabled', {
          description: 'Whether the gateway records requests: `REQUEST_LOG` is not off.',
        }),
        bodiesUntil: t.expose('bodiesUntil', {
          type: 'Timestamp',
          nullable: true,
          description: 'Time until which bodies are recorded; null when they are not.',
        }),
        retentionDays: t.exposeInt('retentionDays', { description: 'Entries are deleted after this time.' }),
        maxRequests: t.exposeInt('maxRequests', {
          description: 'The oldest entries beyond this number are deleted every hour.',
        }),
        skippedToday: t.expose('skippedToday', {
          type: 'Float',
          description: 'Requests since midnight UTC that were not recorded, because the share was used up.',
        }),
      }) satisfies Record<keyof RequestLogSettings, unknown>,
  });

export const RequestLogSettingsPayload = createPayloadType(
  'RequestLogSettingsPayload',
  'settings',
  RequestLogSettingsGraphqlType,
);
