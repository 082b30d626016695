/** GraphQL input of mail templates. Validation rules are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

export const MailTemplateInput = builder.inputType('MailTemplateInput', {
  description:
    'Parts of a mail template; absent ones stay unchanged. `{{name}}` inserts a value, `{{#name}}…{{/name}}` shows its content if the value is not empty, `{{^name}}…{{/name}}` if it is, and `{{#lines}}…{{/lines}}` repeats it for each line of the order.',
  fields: inputFields({
    subject: ['String', 'Subject, up to 200 characters.'],
    html: [
      'String',
      'Content as HTML, up to 20,000 characters, without header and footer. It is sanitised. A link alone in its paragraph becomes a button.',
    ],
    text: [
      'String',
      'Plain-text part, up to 20,000 characters. Null, the default, derives it from the HTML again.',
    ],
  }),
});
