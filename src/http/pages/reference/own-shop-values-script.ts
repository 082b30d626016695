/** Browser script of the REST reference: replaces the values of the demo shop in an example by those of the visitor's shop. */
export const referenceOwnShopValuesScript = String.raw`/**
 * Example of an operation with values of the visitor's shop. A write to an existing record gets no record: sending the example must not
 * change one that the visitor did not choose.
 */
function onOwnShop(adapt, call) {
  const parameters = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = call.method === 'GET' ? undefined
    : parameters.every((name) => name === 'businessId') ? ['YOUR_BUSINESS_ID', 'YOUR_PRODUCT_ID', 'YOUR_VARIANT_ID', 'YOUR_COLLECTION_ID']
    : parameters.includes('businessId') ? ['YOUR_BUSINESS_ID'] : [];
  const operation = JSON.parse(adapt(JSON.stringify(call.operation), names));
  const { market, shippingMethodId } = JSON.parse(adapt('{"market":"US","shippingMethodId":"standard"}'));
  for (const parameter of operation.parameters ?? []) {
    const { name, example, in: location } = parameter;
    if (location === 'path' && name !== 'businessId' && call.method !== 'GET' && !String(example).startsWith('YOUR_')) parameter.example = 'YOUR_' + name.toUpperCase();
    else parameter.example = { US: market, standard: shippingMethodId }[example] ?? example;
  }
  return { ...call, operation };
}
`;
