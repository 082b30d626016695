/** Second addresses of documented endpoints: PATCH of a record like PUT, and sub-resources. */

const business = '/v1/businesses/{businessId}';

/** Existing endpoint by the second address. */
const secondAddresses: Readonly<Record<string, string>> = {
  [`PATCH ${business}/orders/{id}`]: `PUT ${business}/orders/update`,
  'PATCH /v1/users/me': 'PUT /v1/users/update',
  [`PUT ${business}/members/{userId}/role`]: 'PUT /v1/users/set-role',
  [`PUT ${business}/subscriptions/{id}/plan`]: `POST ${business}/subscriptions/{id}/plan`,
  [`PUT ${business}/entries/statuses`]: `POST ${business}/entries/statuses`,
};

/** PUT sets a part of a record, or belongs to the older contract. */
const putOnly = /\/(?:status|payment-status|schedule|update|confirm|phone-number|set-role|users)$/;

/** Fields that the path of the second address replaces. */
const inPath: readonly string[] = ['id', 'userId', 'businessId', 'plan_id'];

export function resourceStyleEndpoints<Endpoint extends { body?: readonly string[] }>(
  endpoints: Readonly<Record<string, Endpoint>>,
): Record<string, Endpoint> {
  const patches = Object.keys(endpoints)
    .filter((address) => address.startsWith('PUT ') && !putOnly.test(address))
    .map((address) => [address.replace('PUT', 'PATCH'), address]);
  return Object.fromEntries(
    [...patches, ...Object.entries(secondAddresses)].map(([address = '', existing = '']) => {
      const endpoint = endpoints[existing];
      if (!endpoint) throw new Error(`${existing} is not documented.`);
      const body = endpoint.body?.filter((field) => !(address in secondAddresses && inPath.includes(field)));
      return [address, { ...endpoint, ...(body && { body }) }];
    }),
  );
}
