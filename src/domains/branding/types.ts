/** GraphQL type of branding. */
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import {
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { MediaGraphqlType } from '../shared/media-and-status-graphql-types.ts';
import { chooseReadableTextColour } from './colour-contrast.ts';
import { type Branding, defaultColours, defaultMailLocale } from './model.ts';

export const BrandingGraphqlType = builder.objectRef<Branding>('Branding').implement({
  interfaces: [TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Appearance of a business in mails and pages: logo, colours and addresses.',
  fields: outputFields((t) => ({
    businessId: ['ID!', 'The business.'],
    logo: [MediaGraphqlType, 'Logo; null when there is none.'],
    accent: t.string({
      description: `Colour of buttons. Default: \`${defaultColours.accent}\`.`,
      resolve: ({ accent = defaultColours.accent }) => accent,
    }),
    accentText: t.string({
      description: 'Readable colour of text on `accent`, computed.',
      resolve: ({ accent = defaultColours.accent }) => chooseReadableTextColour(accent),
    }),
    background: t.string({
      description: `Colour behind the content. Default: \`${defaultColours.background}\`.`,
      resolve: ({ background = defaultColours.background }) => background,
    }),
    backgroundText: t.string({
      description: 'Readable colour of text on `background`, computed.',
      resolve: ({ background = defaultColours.background }) => chooseReadableTextColour(background),
    }),
    shopUrl: ['String', 'Address of the shop; null when not set.'],
    orderUrl: [
      'String',
      'Page of the shop that shows the order of a mailed link, with the query `orderByLink`; null for the page of the gateway.',
    ],
    replyTo: ['String', 'Email address that receives replies; null when not set.'],
    defaultLocale: t.string({
      description: `Locale of mails to customers whose language is unknown or has no texts. Default: \`${defaultMailLocale}\`.`,
      resolve: ({ defaultLocale = defaultMailLocale }) => defaultLocale,
    }),
    version: [
      'Int!',
      'Incremented by every change; 0 before the first. Pass it to an update to detect concurrent changes.',
    ],
    createdAt: ['Timestamp!', 'Time of the first change.'],
  })),
});

export const BrandingPayload = createPayloadType('BrandingPayload', 'branding', BrandingGraphqlType);
