/** GraphQL type and input of postal addresses. Rules beyond types are in postal-address.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import type { PostalAddress } from './postal-address.ts';

const texts = {
  name: 'Who it is for.',
  company: 'The firm it goes to, if it goes to one.',
  line1: 'Street and number, or a box.',
  line2: 'Floor, flat, building.',
  city: 'Town or city, as the post writes it.',
  region: 'State, province or prefecture.',
  postalCode: 'As the country has it; some countries have none.',
  country: 'ISO 3166-1 code of two letters.',
  phone: 'A number for whoever delivers it.',
} satisfies Record<keyof PostalAddress, string>;

export const PostalAddressType = builder.objectRef<PostalAddress>('PostalAddress').implement({
  description: 'An address that something is sent to, or billed to, as it was when the order was made.',
  fields: (t) => ({
    name: t.exposeString('name', { description: texts.name }),
    company: t.exposeString('company', { nullable: true, description: texts.company }),
    line1: t.exposeString('line1', { description: texts.line1 }),
    line2: t.exposeString('line2', { nullable: true, description: texts.line2 }),
    city: t.exposeString('city', { description: texts.city }),
    region: t.exposeString('region', { nullable: true, description: texts.region }),
    postalCode: t.exposeString('postalCode', { nullable: true, description: texts.postalCode }),
    country: t.exposeString('country', { description: texts.country }),
    phone: t.exposeString('phone', { nullable: true, description: texts.phone }),
  }),
});

/** The two addresses of an order, and of a cart that becomes one. */
export const shippingAddressField = {
  type: PostalAddressType,
  nullable: true,
  description: 'Where it goes.',
} as const;
export const billingAddressField = {
  type: PostalAddressType,
  nullable: true,
  description: 'Who is billed; absent when that is the same as where it goes.',
} as const;

export const PostalAddressInput = builder.inputType('PostalAddressInput', {
  description: 'An address; its country says whether it needs a region and a postal code.',
  fields: (t) => ({
    name: t.string({ required: true, description: texts.name }),
    company: t.string({ description: texts.company }),
    line1: t.string({ required: true, description: texts.line1 }),
    line2: t.string({ description: texts.line2 }),
    city: t.string({ required: true, description: texts.city }),
    region: t.string({ description: texts.region }),
    postalCode: t.string({ description: texts.postalCode }),
    country: t.string({ required: true, description: texts.country }),
    phone: t.string({ description: texts.phone }),
  }),
});
