/** GraphQL inputs of webhook endpoints. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { WebhookEndpointStatusEnum, WebhookTopicEnum } from './types.ts';
import { webhookEventPatternsText } from './webhook-event-types.ts';

const url = 'https URL on the public internet, without credentials or fragment, up to 2,000 characters.';

export const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'A new endpoint.',
  fields: inputFields({
    url: ['String!', url],
    description: ['String', 'Purpose of the endpoint, up to 500 characters.'],
    topics: [
      [WebhookTopicEnum],
      'Events to deliver. Exactly one of `topics` and the deprecated `events` is required.',
    ],
    events: ['[String!]', `Event patterns, alternative to \`topics\`. ${webhookEventPatternsText}`],
  }),
});

export const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'The fields to change.',
  fields: inputFields({
    url: ['String', url],
    description: ['String', 'Purpose of the endpoint, up to 500 characters.'],
    topics: [[WebhookTopicEnum], 'Events to deliver; replaces the list.'],
    events: ['[String!]', `Event patterns, alternative to \`topics\`. ${webhookEventPatternsText}`],
    status: [
      WebhookEndpointStatusEnum,
      'DISABLED stops deliveries; ACTIVE resumes them, also after an automatic disable.',
    ],
  }),
});
