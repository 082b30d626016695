/** GraphQL type and input of postal addresses. Validation beyond types is in postal-address.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import type { PostalAddress } from './postal-address-schema-and-rules.ts';

const descriptions = {
  name: 'Name of the recipient.',
  company: 'Company of the recipient.',
  line1: 'Street and number, or post office box.',
  line2: 'Floor, flat or building.',
  city: 'Town or city.',
  region: 'State, province or prefecture.',
  postalCode: 'Postal code in the format of the country; some countries have none.',
  country: 'ISO 3166-1 alpha-2 code.',
  phone: 'Phone number for the carrier.',
} satisfies Record<keyof PostalAddress, string>;

const PostalAddressGraphqlType = builder.objectRef<PostalAddress>('PostalAddress').implement({
  description: 'Postal address for shipping or billing. On an order: as of its creation.',
  fields: (t) => ({
    name: t.exposeString('name', { description: descriptions.name }),
    company: t.exposeString('company', { nullable: true, description: descriptions.company }),
    line1: t.exposeString('line1', { description: descriptions.line1 }),
    line2: t.exposeString('line2', { nullable: true, description: descriptions.line2 }),
    city: t.exposeString('city', { description: descriptions.city }),
    region: t.exposeString('region', { nullable: true, description: descriptions.region }),
    postalCode: t.exposeString('postalCode', { nullable: true, description: descriptions.postalCode }),
    country: t.exposeString('country', { description: descriptions.country }),
    phone: t.exposeString('phone', { nullable: true, description: descriptions.phone }),
  }),
});

/** Address fields of orders and carts. */
export const shippingAddressField = {
  type: PostalAddressGraphqlType,
  nullable: true,
  description: 'Address that the goods are shipped to.',
} as const;
export const billingAddressField = {
  type: PostalAddressGraphqlType,
  nullable: true,
  description: 'Billing address; null when it equals the shipping address.',
} as const;

export const PostalAddressInput = builder.inputType('PostalAddressInput', {
  description: 'Postal address. The country decides whether region and postal code are required.',
  fields: (t) => ({
    name: t.string({ required: true, description: descriptions.name }),
    company: t.string({ description: descriptions.company }),
    line1: t.string({ required: true, description: descriptions.line1 }),
    line2: t.string({ description: descriptions.line2 }),
    city: t.string({ required: true, description: descriptions.city }),
    region: t.string({ description: descriptions.region }),
    postalCode: t.string({ description: descriptions.postalCode }),
    country: t.string({ required: true, description: descriptions.country }),
    phone: t.string({ description: descriptions.phone }),
  }),
});
