/** GraphQL inputs of webhooks. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/builder.ts';
import { patternList } from './events.ts';
import { EndpointStatusEnum, TopicEnum } from './types.ts';

const url =
  'An https address on the public internet, without credentials or fragment, of at most 2000 characters.';

export const CreateEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'A new endpoint.',
  fields: (t) => ({
    url: t.string({ required: true, description: url }),
    description: t.string({ description: 'What it is for.' }),
    topics: t.field({ type: [TopicEnum], description: 'What to tell it about.' }),
    events: t.stringList({ description: `Instead of \`topics\`. ${patternList}` }),
  }),
});

export const UpdateEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    url: t.string({ description: url }),
    description: t.string({ description: 'What it is for.' }),
    topics: t.field({ type: [TopicEnum], description: 'The whole new list of what to tell it about.' }),
    events: t.stringList({ description: `Instead of \`topics\`. ${patternList}` }),
    status: t.field({
      type: EndpointStatusEnum,
      description: 'DISABLED stops it; ACTIVE starts it again, whoever stopped it.',
    }),
  }),
});
