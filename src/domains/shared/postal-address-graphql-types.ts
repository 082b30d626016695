/** GraphQL type and input of postal addresses. Validation beyond types is in postal-address.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields, outputFields } from '../../graphql/schema/field-tables.ts';
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
  fields: outputFields({
    name: ['String!', descriptions.name],
    company: ['String', descriptions.company],
    line1: ['String!', descriptions.line1],
    line2: ['String', descriptions.line2],
    city: ['String!', descriptions.city],
    region: ['String', descriptions.region],
    postalCode: ['String', descriptions.postalCode],
    country: ['String!', descriptions.country],
    phone: ['String', descriptions.phone],
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
  fields: inputFields({
    name: ['String!', descriptions.name],
    company: ['String', descriptions.company],
    line1: ['String!', descriptions.line1],
    line2: ['String', descriptions.line2],
    city: ['String!', descriptions.city],
    region: ['String', descriptions.region],
    postalCode: ['String', descriptions.postalCode],
    country: ['String!', descriptions.country],
    phone: ['String', descriptions.phone],
  }),
});
