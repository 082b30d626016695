/** GraphQL inputs of webhooks. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { eventPatternList } from './events.ts';
import { WebhookEndpointStatusEnum, WebhookTopicEnum } from './types.ts';

const url =
  'An https address on the public internet, without credentials or fragment, of at most 2000 characters.';

export const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'A new endpoint.',
  fields: (t) => ({
    url: t.string({ required: true, description: url }),
    description: t.string({ description: 'What it is for.' }),
    topics: t.field({ type: [WebhookTopicEnum], description: 'What to tell it about.' }),
    events: t.stringList({ description: `Instead of \`topics\`. ${eventPatternList}` }),
  }),
});

export const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    url: t.string({ description: url }),
    description: t.string({ description: 'What it is for.' }),
    topics: t.field({
      type: [WebhookTopicEnum],
      description: 'The whole new list of what to tell it about.',
    }),
    events: t.stringList({ description: `Instead of \`topics\`. ${eventPatternList}` }),
    status: t.field({
      type: WebhookEndpointStatusEnum,
      description: 'DISABLED stops it; ACTIVE starts it again, whoever stopped it.',
    }),
  }),
});
