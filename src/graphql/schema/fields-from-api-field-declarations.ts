/** GraphQL input and output fields of field declarations (src/lib/validation/api-field-declarations.ts). */
import type {
  ApiFieldDeclaration,
  ApiFieldDeclarations,
} from '../../lib/validation/api-field-declarations.ts';
import type { builder } from './builder.ts';

type InputFieldBuilder = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const mapNames = <Fields extends ApiFieldDeclarations, Ref>(
  fields: Fields,
  create: (name: string, declaration: ApiFieldDeclaration) => Ref,
) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, declaration]) => [name, create(name, declaration)]),
  ) as Record<keyof Fields & string, Ref>;

/** One optional input field per declaration. */
export const buildInputFieldsFromDeclarations = <Fields extends ApiFieldDeclarations>(
  t: InputFieldBuilder,
  fields: Fields,
) =>
  mapNames(fields, (_name, { kind, inputDescription: description }) => {
    switch (kind) {
      case 'text':
        return t.string({ description });
      case 'integer':
        return t.int({ description });
      case 'boolean':
        return t.boolean({ description });
    }
  });

/** The part of a Pothos object field builder that exposes properties. */
interface ExposingBuilder<Text, Integer, Flag> {
  exposeString(name: never, options: { description: string }): Text;
  exposeInt(name: never, options: { description: string }): Integer;
  exposeBoolean(name: never, options: { description: string }): Flag;
}

/** One non-null output field per declaration. */
export const buildOutputFieldsFromDeclarations = <Fields extends ApiFieldDeclarations, Text, Integer, Flag>(
  t: ExposingBuilder<Text, Integer, Flag>,
  fields: Fields,
) =>
  mapNames(fields, (name, { kind, description }): Text | Integer | Flag => {
    switch (kind) {
      case 'text':
        return t.exposeString(name as never, { description });
      case 'integer':
        return t.exposeInt(name as never, { description });
      case 'boolean':
        return t.exposeBoolean(name as never, { description });
    }
  });
