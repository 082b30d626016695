/** GraphQL input of the request log. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

export const UpdateRequestLogSettingsInput = builder.inputType('UpdateRequestLogSettingsInput', {
  description: 'Settings of the request log to change.',
  fields: inputFields({
    recordBodies: [
      'Boolean!',
      'true records the bodies of requests, redacted, for the next 24 hours; false stops the recording.',
    ],
  }),
});
