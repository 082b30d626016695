/** JSON Schema of GraphQL types: whole input types, and of output types what an operation selects. */
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { conditionalRequirements, hasAlternative } from './conditional-fields.ts';
import type { Examples } from './examples.ts';
import { type JsonSchema, objectSchema, schemaRef } from './json-schema.ts';
import type { RequiredInputs } from './required-inputs.ts';
import type { SelectedField, Selection } from './selection.ts';

const scalars: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Timestamp: { type: 'integer', format: 'int64' },
  Money: { type: 'integer', format: 'int64' },
  JSON: {},
};

/** An input of which one field is given and no other. */
const exactlyOne: JsonSchema = { minProperties: 1, maxProperties: 1 };

/** What the routes taken together say about fields. */
export interface Knowledge {
  requiredInputs: RequiredInputs;
  examples: Examples;
}

/** REST drops nulls: what may be null is optional. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #schema: GraphQLSchema;
  readonly #requiredInputs: RequiredInputs;
  readonly #examples: Examples;
  /** For each output type, the component of each selection of it. */
  readonly #names = new Map<string, Map<string, string>>();

  constructor(schema: GraphQLSchema, { requiredInputs, examples }: Knowledge) {
    this.#schema = schema;
    this.#requiredInputs = requiredInputs;
    this.#examples = examples;
  }

  /** Puts a schema that no type stands behind under a name. */
  named(name: string, schema: JsonSchema): JsonSchema {
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas are called ${name}.`);
    this.schemas[name] = schema;
    return { $ref: schemaRef(name) };
  }

  input(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.input(type.ofType);
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) };
    if (isInputObjectType(type)) {
      if (!this.schemas[type.name]) {
        const schema: JsonSchema = {};
        this.schemas[type.name] = schema;
        const fields = Object.values(type.getFields());
        Object.assign(
          schema,
          objectSchema(
            Object.fromEntries(
              fields.map((field) => [
                field.name,
                this.property(
                  this.input(field.type),
                  field.type,
                  field.description,
                  `${type.name}.${field.name}`,
                ),
              ]),
            ),
            fields
              .filter(
                (field) =>
                  (isNonNullType(field.type) && field.defaultValue === undefined) ||
                  (this.#requiredInputs.isRequired(`${type.name}.${field.name}`) &&
                    !hasAlternative(type.name, field.name)),
              )
              .map(({ name }) => name),
            type.description,
          ),
          type.isOneOf ? exactlyOne : {},
          conditionalRequirements(
            type.name,
            fields.map(({ name }) => name),
          ),
        );
      }
      return { $ref: schemaRef(type.name) };
    }
    return this.#leaf(type);
  }

  /** The input type of that name, when its fields are these. */
  inputNamed(name: string, fields: readonly string[]): JsonSchema | undefined {
    const type = this.#schema.getType(name);
    if (!isInputObjectType(type)) return undefined;
    const own = Object.keys(type.getFields());
    return own.length === fields.length && own.every((field) => fields.includes(field))
      ? this.input(type)
      : undefined;
  }

  /** Decides which selection of each type carries the type's plain name: of those that several operations share, the one with most fields. */
  nameSelections(found: readonly { type: GraphQLObjectType; signature: string; operation: string }[]): void {
    for (const type of new Set(found.map((use) => use.type.name))) {
      const uses = found.filter((use) => use.type.name === type);
      const names = new Map<string, string>();
      const isShared = (signature: string) =>
        new Set(uses.filter((use) => use.signature === signature).map(({ operation }) => operation)).size > 1;
      const signatures = [...new Set(uses.map(({ signature }) => signature))].sort(
        (a, b) => Number(isShared(b)) - Number(isShared(a)) || b.length - a.length || (a < b ? -1 : 1),
      );
      for (const signature of signatures) {
        const operation = uses.find((use) => use.signature === signature)?.operation ?? '';
        names.set(signature, names.size === 0 ? type : `${type}In${operation}`);
      }
      this.#names.set(type, names);
    }
  }

  /** The schema of a selected field, as far as the operation selects it. */
  output(selection: Selection, { field, selections }: SelectedField, operation: string): JsonSchema {
    return this.#outputType(selection, field.type, selections, operation);
  }

  #outputType(
    selection: Selection,
    type: GraphQLOutputType,
    selections: readonly SelectionSetNode[],
    operation: string,
  ): JsonSchema {
    if (isNonNullType(type)) return this.#outputType(selection, type.ofType, selections, operation);
    if (isListType(type))
      return { type: 'array', items: this.#outputType(selection, type.ofType, selections, operation) };
    if (isAbstractType(type)) {
      const members = this.#schema.getPossibleTypes(type);
      return { anyOf: members.map((member) => this.#outputType(selection, member, selections, operation)) };
    }
    if (!isObjectType(type)) return this.#leaf(type);
    const name = this.#names.get(type.name)?.get(selection.signatureOf(type, selections)) ?? type.name;
    if (!this.schemas[name]) {
      const schema: JsonSchema = {};
      this.schemas[name] = schema;
      const fields = selection.fieldsOf(type, selections);
      const properties = fields.map((selected) => {
        const { key, field } = selected;
        const inner = this.#outputType(selection, field.type, selected.selections, operation);
        return [
          key,
          this.property(inner, field.type, field.description, `${type.name}.${field.name}`),
        ] as const;
      });
      Object.assign(
        schema,
        objectSchema(
          Object.fromEntries(properties),
          fields.filter(({ field }) => isNonNullType(field.type)).map(({ key }) => key),
          type.description,
        ),
      );
    }
    return { $ref: schemaRef(name) };
  }

  #leaf(type: GraphQLInputType | GraphQLOutputType): JsonSchema {
    if (isEnumType(type)) {
      this.schemas[type.name] ??= {
        type: 'string',
        ...(type.description ? { description: type.description } : {}),
        enum: type.getValues().map(({ name }) => name),
        'x-graphql-type': type.name,
      };
      return { $ref: schemaRef(type.name) };
    }
    const known = scalars[getNamedType(type).name];
    if (!known) throw new Error(`No JSON Schema for the scalar ${getNamedType(type).name}.`);
    return known;
  }

  /** A property with its description, an example and the GraphQL field it is. */
  property(
    schema: JsonSchema,
    type: GraphQLInputType | GraphQLOutputType,
    description: string | null | undefined,
    coordinate: string,
  ): JsonSchema {
    const example = this.#examples.of(type, coordinate);
    return {
      ...schema,
      ...(description ? { description } : {}),
      ...(isDeprecatedCoordinate(coordinate) ? { deprecated: true } : {}),
      ...(example === undefined ? {} : { examples: [example] }),
      'x-graphql-field': coordinate,
    };
  }
}
