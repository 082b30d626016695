/** GraphQL inputs of imports and exports. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import type { StartExportArgs, StartImportArgs } from './schemas.ts';
import { BulkFormatEnum, BulkResourceEnum } from './types.ts';

const format = 'How lines are written, JSONL by default.';
const collectionId = 'Id or slug of a collection, where records are of one.';

export const StartImportInput = builder.inputType('StartImportInput', {
  description: 'What to import.',
  fields: (t) =>
    ({
      resource: t.field({ type: BulkResourceEnum, required: true, description: 'What the lines are.' }),
      format: t.field({ type: BulkFormatEnum, description: format }),
      collectionId: t.id({ description: collectionId }),
      content: t.string({
        description:
          'The lines, up to 900,000 characters. Absent: the answer has a form to upload them with.',
      }),
    }) satisfies Record<keyof StartImportArgs['input'], unknown>,
});

export const StartExportInput = builder.inputType('StartExportInput', {
  description: 'What to export.',
  fields: (t) =>
    ({
      resource: t.field({ type: BulkResourceEnum, required: true, description: 'What to export.' }),
      format: t.field({ type: BulkFormatEnum, description: format }),
      collectionId: t.id({ description: collectionId }),
    }) satisfies Record<keyof StartExportArgs['input'], unknown>,
});
