/** Schema fields for the payloads of webhook events, with description and example. */
import { z } from 'zod';

const exampleId = '01900000-0000-7000-8000-000000000001';

export const defineIdEventField = (description: string) =>
  z.string().meta({ description, examples: [exampleId] });

export const defineTextEventField = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] });

export const defineCountEventField = (description: string, example: number) =>
  z.number().meta({ type: 'integer', format: 'int32', description, examples: [example] });

/** Amount in minor units. */
export const defineMoneyEventField = (description: string, example: number) =>
  z.number().meta({ type: 'integer', format: 'int64', description, examples: [example] });

/** Time in Unix seconds. */
export const defineTimeEventField = (description: string) =>
  z.number().meta({ type: 'integer', format: 'int64', description, examples: [1767225600] });

export const defineBooleanEventField = (description: string) =>
  z.boolean().meta({ description, examples: [true] });

/** Value of a GraphQL enum. */
export const defineEnumEventField = (enumName: string, description: string, example: string) =>
  z.string().meta({ 'x-graphql-type': enumName, description, examples: [example] });

export const defineListEventField = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).meta({ description });

/** Payload of an event. Event types with the same payload share its name. */
export const defineEventDataSchema = <Parts extends z.ZodRawShape>(
  name: string,
  description: string,
  parts: Parts,
) => z.object(parts).meta({ title: `${name}EventData`, description });

export const businessIdEventField = defineIdEventField('Id of the business.');
export const currencyEventField = defineTextEventField('Currency of the amounts: ISO 4217 code.', 'USD');
export const versionEventField = defineCountEventField(
  'Version of the record; increases with every change. Ignore an event with a lower version than the one you have.',
  1,
);
