/** GraphQL inputs of media. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';

const alt = 'What is seen, for those who cannot; at most 1000 characters.';

export const CreateUploadInput = builder.inputType('CreateUploadInput', {
  description: 'The file that will be uploaded.',
  fields: (t) => ({
    fileName: t.string({ required: true, description: 'Its name; the address is made from it.' }),
    contentType: t.string({
      required: true,
      description: 'What it is, such as `image/jpeg`. The content must agree.',
    }),
    size: t.int({ required: true, description: 'Its size in bytes, exactly.' }),
    alt: t.string({ description: alt }),
  }),
});

export const UpdateMediaFileInput = builder.inputType('UpdateMediaFileInput', {
  description: 'The fields to change.',
  fields: (t) => ({ alt: t.string({ description: alt }) }),
});
