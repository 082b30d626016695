/** OpenAPI example values for fields of the change history, by GraphQL coordinate. */
export const fields = {
  'Change.kind': 'PRODUCT',
  'Change.action': 'UPDATE',
  'Change.voice': 'REST',
  'Change.actor': 'USER',
  'Change.before': { name: 'Lamp' },
  'Change.after': { name: 'Desk lamp' },
  'Change.keyName': 'Warehouse',
  'Change.requestId': 'b7e6c1f2-4c1d-4f0a-9a55-2f1f3a8f7c11',
};
