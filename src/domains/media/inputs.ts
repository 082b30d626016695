/** GraphQL input types of media. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

const alt = 'Alternative text, up to 1,000 characters.';

export const CreateUploadInput = builder.inputType('CreateUploadInput', {
  description: 'File to upload.',
  fields: inputFields({
    fileName: ['String!', 'File name, up to 255 characters; the URL is derived from it.'],
    contentType: ['String!', 'Media type, such as `image/jpeg`. Must match the content of the file.'],
    size: ['Int!', 'Exact file size in bytes.'],
    alt: ['String', alt],
  }),
});

export const UpdateMediaFileInput = builder.inputType('UpdateMediaFileInput', {
  description: 'Fields to change; omitted fields keep their value.',
  fields: (t) => ({ alt: t.string({ description: alt }) }),
});
