/** Appends to the description of every root field the detail codes of its validation errors, which `npm run generate` derives from the source code. */
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { codesByField, formCodes } from '../../generated/domains/detail-codes.ts';

const inputValidationCodes: ReadonlySet<string> = new Set(formCodes);

/** Omits the codes of input validation, such as REQUIRED, which any field with arguments can return. */
export function appendDetailCodesToDescriptions(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(type?.getFields() ?? {})) {
      const codes = (codesByField[field.name] ?? []).filter((code) => !inputValidationCodes.has(code));
      if (codes.length > 0)
        field.description = `${field.description ?? ''}${separator}Error codes: ${codes.join(', ')}.`;
    }
  return schema;
}

const separator = '\n\n';

/** The description without the appended codes, for OpenAPI, which lists codes separately. */
export const removeDetailCodesFromDescription = ({ description }: GraphQLField<unknown, unknown>) =>
  description?.split(separator)[0];
