/** JSON Schema of the response of a route, as a named component. */
import { isNonNullType } from 'graphql';
import {
  findSelectionAtPath,
  type ParsedRoute,
  type SelectedField,
  schemaCoordinateOf,
} from '../../src/rest/route-with-parsed-operation.ts';
import type { Components } from './component-schemas.ts';
import { type JsonSchema, objectSchema } from './json-schema.ts';

export function responseSchema(parsedRoute: ParsedRoute, components: Components): JsonSchema {
  const { response, operation } = parsedRoute.route;
  const schemaAt = (selected: SelectedField) =>
    components.output(parsedRoute.selection, selected, operation.name);
  const property = (selected: SelectedField) => {
    const { type, description } = selected.field;
    return components.property(schemaAt(selected), type, description, schemaCoordinateOf(selected));
  };
  if ('success' in response)
    return components.named(
      'Success',
      objectSchema(
        { success: { type: 'boolean', description: 'Always true: a failed request has an error status.' } },
        ['success'],
        'Confirmation of a change that returns no record.',
      ),
    );
  if ('list' in response) {
    const cursor = findSelectionAtPath(parsedRoute, `${response.list}.pageInfo.endCursor`);
    const items = property(findSelectionAtPath(parsedRoute, `${response.list}.nodes`));
    return components.named(
      `${itemName(items)}List`,
      objectSchema(
        {
          items,
          // The only null in responses: other unset fields are omitted.
          cursor: {
            type: ['string', 'null'],
            description: 'Value of the parameter `cursor` for the next page; null on the last page.',
            'x-graphql-field': schemaCoordinateOf(cursor),
          },
        },
        ['items', 'cursor'],
        'One page of a list, newest first unless the operation states another order.',
      ),
    );
  }
  if ('value' in response)
    return components.named(
      `${operation.name.replace(/^Get/, '')}Answer`,
      objectSchema(
        { [response.as]: property(findSelectionAtPath(parsedRoute, response.value)) },
        [response.as],
        'A single value.',
      ),
    );
  const record = schemaAt(findSelectionAtPath(parsedRoute, response.at));
  if (!response.fallback) return record;
  const fallbackFields = Object.entries(response.fallback).map(
    ([name, at]) => [name, findSelectionAtPath(parsedRoute, at)] as const,
  );
  const fallback = components.named(
    `${operation.name}Alternative`,
    objectSchema(
      Object.fromEntries(fallbackFields.map(([name, selected]) => [name, property(selected)])),
      fallbackFields.filter(([, { field }]) => isNonNullType(field.type)).map(([name]) => name),
      'Returned instead of the record when a payment is required first.',
    ),
  );
  return { anyOf: [record, fallback] };
}

/** Component name of the items of a list. */
const itemName = ({ items }: JsonSchema) =>
  String((items as JsonSchema).$ref ?? '')
    .split('/')
    .at(-1);
