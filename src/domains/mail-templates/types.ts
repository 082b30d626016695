/** GraphQL types of mail templates. */
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { VersionedGraphqlInterface } from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPayloadType, describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import type { MailTemplate } from './model.ts';
import type { MailTemplatePreview } from './preview-and-send-test-mail.ts';
import {
  type MailPlaceholder,
  type MailTemplateKind,
  mailPlaceholdersOf,
  orderLinePlaceholders,
} from './rendering/mail-kinds-and-placeholders.ts';

export const MailTemplateKindEnum = builder.enumType('MailTemplateKind', {
  description: 'Occasion of a mail to a customer.',
  values: describedEnumValues<MailTemplateKind>({
    ORDER_CONFIRMED: 'The order was paid, or needs no payment.',
    ORDER_SHIPPED: 'A shipment is on its way.',
    ORDER_CANCELLED: 'Staff or the customer cancelled a confirmed order.',
    ORDER_REFUNDED: 'Money was returned.',
    RETURN_ACCEPTED: 'Staff accepted a return.',
    RETURN_REFUSED: 'Staff refused a return or a part of it.',
    ORDER_LINK: 'The customer requested a new link to the order.',
  }),
});

const MailPlaceholderGraphqlType = builder.objectRef<MailPlaceholder>('MailPlaceholder').implement({
  description: 'A value that a mail template can insert.',
  fields: outputFields({
    name: ['String!', 'Name, written `{{name}}`. Names that begin with `line.` need `{{#lines}}`.'],
    description: ['String!', 'Meaning, and when it is empty.'],
    example: ['String!', 'Value in previews and test mails.'],
  }),
});

export const MailTemplateGraphqlType = builder.objectRef<MailTemplate>('MailTemplate').implement({
  interfaces: [VersionedGraphqlInterface],
  description: 'Template of the mails of one kind in one locale.',
  fields: outputFields((t) => ({
    businessId: ['ID!', 'The business.'],
    kind: t.expose('kind', { type: MailTemplateKindEnum, description: 'Occasion of the mail.' }),
    locale: ['String!', 'Language, or language and region.'],
    subject: ['String!', 'One line, with placeholders.'],
    html: ['String!', 'Content as HTML, without header and footer.'],
    text: ['String', 'Plain-text part; null when it is derived from the HTML.'],
    isCustomized: [
      'Boolean!',
      'Whether the business has edited it. Otherwise it is the template that mails in this locale use.',
    ],
    placeholders: t.field({
      type: [MailPlaceholderGraphqlType],
      description: 'Values that the template can insert.',
      resolve: ({ kind }) => [...mailPlaceholdersOf(kind), ...orderLinePlaceholders],
    }),
    version: ['Int!', 'Incremented by every change; 0 for a template that is not customized.'],
    updatedAt: ['Timestamp', 'Time of the last change; null for a template that is not customized.'],
  })),
});

export const MailTemplatePayload = createPayloadType(
  'MailTemplatePayload',
  'mailTemplate',
  MailTemplateGraphqlType,
);

export const MailPreviewGraphqlType = builder.objectRef<MailTemplatePreview>('MailPreview').implement({
  description: 'A mail with sample values, as customers see it.',
  fields: outputFields({
    subject: ['String!', 'One line, with the values filled in.'],
    html: ['String!', 'HTML part with header and footer: a whole document.'],
    text: ['String!', 'Plain-text part.'],
  }),
});

export const SendTestMailPayload = builder.objectRef<{ email: string }>('SendTestMailPayload').implement({
  description: 'Result of the mutation.',
  fields: (t) => ({ email: t.exposeString('email', { description: 'Address of the viewer.' }) }),
});
