/** JSON Schemas of GraphQL types: complete input types, and the selected fields of output types. */
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
import type { OperationSelection, SelectedField } from '../../src/rest/route-with-parsed-operation.ts';
import { conditionalRequirements, hasAlternative } from './conditional-fields.ts';
import type { Examples } from './examples.ts';
import { inputObjectSchema, type JsonSchema, objectSchema, schemaRef } from './json-schema.ts';
import type { RequiredInputs } from './required-inputs.ts';

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

/** Keywords of a @oneOf input. */
const exactlyOne: JsonSchema = { minProperties: 1, maxProperties: 1 };

/** Facts about fields, collected from all routes. */
export interface FieldFacts {
  requiredInputs: RequiredInputs;
  examples: Examples;
}

/** Schemas in `components`. Nullable fields are optional, because REST omits nulls. */
/** Components keep their names when a GraphQL type is renamed: typed REST clients refer to them. */
const componentNames: Readonly<Record<string, string>> = { NewsletterSubscription: 'Subscription' };

const componentNameOf = (type: string): string => componentNames[type] ?? type;

export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #schema: GraphQLSchema;
  readonly #requiredInputs: RequiredInputs;
  readonly #examples: Examples;
  /** Component names, by output type and signature of the selection. */
  readonly #selectionNames = new Map<string, Map<string, string>>();

  constructor(schema: GraphQLSchema, { requiredInputs, examples }: FieldFacts) {
    this.#schema = schema;
    this.#requiredInputs = requiredInputs;
    this.#examples = examples;
  }

  /** Adds a schema without a GraphQL type under a name. */
  named(name: string, schema: JsonSchema): JsonSchema {
    const existing = this.schemas[name];
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`Two different schemas have the name ${name}.`);
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
          inputObjectSchema(
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

  /** The input type of this name, if it has exactly these fields. */
  inputNamed(name: string, fields: readonly string[]): JsonSchema | undefined {
    const type = this.#schema.getType(name);
    if (!isInputObjectType(type)) return undefined;
    const typeFields = Object.keys(type.getFields());
    return typeFields.length === fields.length && typeFields.every((field) => fields.includes(field))
      ? this.input(type)
      : undefined;
  }

  /** Chooses the selection of each type that gets the type's name: the one with the most fields among those that several operations share. */
  nameSelections(
    selections: readonly { type: GraphQLObjectType; signature: string; operation: string }[],
  ): void {
    for (const type of new Set(selections.map((use) => use.type.name))) {
      const uses = selections.filter((use) => use.type.name === type);
      const names = new Map<string, string>();
      const isShared = (signature: string) =>
        new Set(uses.filter((use) => use.signature === signature).map(({ operation }) => operation)).size > 1;
      const signatures = [...new Set(uses.map(({ signature }) => signature))].sort(
        (a, b) => Number(isShared(b)) - Number(isShared(a)) || b.length - a.length || (a < b ? -1 : 1),
      );
      for (const signature of signatures) {
        const operation = uses.find((use) => use.signature === signature)?.operation ?? '';
        names.set(
          signature,
          names.size === 0 ? componentNameOf(type) : `${componentNameOf(type)}In${operation}`,
        );
      }
      this.#selectionNames.set(type, names);
    }
  }

  /** Schema of a selected field, limited to the fields that the operation selects. */
  output(selection: OperationSelection, { field, selections }: SelectedField, operation: string): JsonSchema {
    return this.#outputType(selection, field.type, selections, operation);
  }

  #outputType(
    selection: OperationSelection,
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
    const name =
      this.#selectionNames.get(type.name)?.get(selection.signatureOf(type, selections)) ??
      componentNameOf(type.name);
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
    const scalar = scalars[getNamedType(type).name];
    if (!scalar) throw new Error(`No JSON Schema for the scalar ${getNamedType(type).name}.`);
    return scalar;
  }

  /** Property schema with description, example and GraphQL coordinate. */
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
