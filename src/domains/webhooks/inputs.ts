/** GraphQL inputs of webhook endpoints. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { WebhookEndpointStatusEnum, WebhookTopicEnum } from './types.ts';
import { webhookEventPatternsText } from './webhook-event-types.ts';

const url = 'https URL on the public internet, without credentials or fragment, up to 2,000 characters.';

export const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'A new endpoint.',
  fields: (t) => ({
    url: t.string({ required: true, description: url }),
    description: t.string({ description: 'Purpose of the endpoint, up to 500 characters.' }),
    topics: t.field({
      type: [WebhookTopicEnum],
      description: 'Events to deliver. Exactly one of `topics` and `events` is required.',
    }),
    events: t.stringList({
      description: `Event patterns, alternative to \`topics\`. ${webhookEventPatternsText}`,
    }),
  }),
});

export const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    url: t.string({ description: url }),
    description: t.string({ description: 'Purpose of the endpoint, up to 500 characters.' }),
    topics: t.field({
      type: [WebhookTopicEnum],
      description: 'Events to deliver; replaces the list.',
    }),
    events: t.stringList({
      description: `Event patterns, alternative to \`topics\`. ${webhookEventPatternsText}`,
    }),
    status: t.field({
      type: WebhookEndpointStatusEnum,
      description: 'DISABLED stops deliveries; ACTIVE resumes them, also after an automatic disable.',
    }),
  }),
});
