/** GraphQL inputs of imports and exports. Validation rules are in schemas.ts. */

import { builder } from '../../graphql/schema/builder.ts';
import { type InputField, inputFields } from '../../graphql/schema/field-tables.ts';
import type { StartExportArgs, StartImportArgs } from './schemas.ts';
import { BulkFormatEnum, BulkResourceEnum } from './types.ts';

const format = 'File format. Default JSONL.';
const collectionId =
  'Id or slug of the collection. Required for SUBSCRIBERS, optional for ENTRIES, ignored otherwise.';

export const StartImportInput = builder.inputType('StartImportInput', {
  description: 'Import to start.',
  fields: inputFields(
    (t) =>
      ({
        resource: t.field({ type: BulkResourceEnum, required: true, description: 'Type of the records.' }),
        format: [BulkFormatEnum, format],
        collectionId: ['ID', collectionId],
        content: [
          'String',
          'Lines of the file, up to 900,000 characters. When absent, the response contains an upload form for the file.',
        ],
      }) satisfies Record<keyof StartImportArgs['input'], InputField>,
  ),
});

export const StartExportInput = builder.inputType('StartExportInput', {
  description: 'Export to start.',
  fields: (t) =>
    ({
      resource: t.field({ type: BulkResourceEnum, required: true, description: 'Type of the records.' }),
      format: t.field({ type: BulkFormatEnum, description: format }),
      collectionId: t.id({ description: collectionId }),
    }) satisfies Record<keyof StartExportArgs['input'], unknown>,
});
