/** What the data of events is made of: each part with its words and a value to show. */
import { z } from 'zod';

const exampleId = '01900000-0000-7000-8000-000000000001';

export const idField = (description: string) => z.string().meta({ description, examples: [exampleId] });

export const textField = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] });

export const countField = (description: string, example: number) =>
  z.number().meta({ type: 'integer', format: 'int32', description, examples: [example] });

/** Minor units. */
export const moneyField = (description: string, example: number) =>
  z.number().meta({ type: 'integer', format: 'int64', description, examples: [example] });

/** Unix seconds. */
export const timeField = (description: string) =>
  z.number().meta({ type: 'integer', format: 'int64', description, examples: [1767225600] });

export const flagField = (description: string) => z.boolean().meta({ description, examples: [true] });

/** A value of an enum of the schema. */
export const enumField = (enumName: string, description: string, example: string) =>
  z.string().meta({ 'x-graphql-type': enumName, description, examples: [example] });

export const listField = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).meta({ description });

/** Types of events that carry the same have one name for it. */
export const eventDataSchema = <Parts extends z.ZodRawShape>(
  name: string,
  description: string,
  parts: Parts,
) => z.object(parts).meta({ title: `${name}EventData`, description });

export const businessIdField = idField('The business.');
export const currencyField = textField('Currency of the amounts, as ISO 4217 has it.', 'USD');
export const versionField = countField(
  'Of the record; grows with every change. A smaller one than you know is old news.',
  1,
);
