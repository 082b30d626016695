/** GraphQL input of branding. Validation rules are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

export const UpdateBrandingInput = builder.inputType('UpdateBrandingInput', {
  description: 'Fields to change; absent fields stay unchanged, null removes a value.',
  fields: inputFields({
    logoId: [
      'ID',
      'Id of an uploaded PNG, JPEG, GIF or WebP image of the business. Mails show it 48 pixels high.',
    ],
    accent: ['String', 'Colour of buttons, such as `#0d6b66`.'],
    background: ['String', 'Colour behind the content of mails and pages, such as `#f4f4f5`.'],
    shopUrl: ['String', 'Address of the shop on an allowed origin. Mails and pages link to it.'],
    orderUrl: [
      'String',
      'Page of the shop, on an allowed origin, that shows the order of a mailed link. Mails link to it with the parameter `token`.',
    ],
    replyTo: ['String', 'Email address that receives replies to mails of the shop.'],
    defaultLocale: [
      'String',
      'Locale of mails to customers whose language is unknown or has no texts, such as `de`.',
    ],
  }),
});
