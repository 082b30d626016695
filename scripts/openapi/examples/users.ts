/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'User.name': 'Ada Lovelace',
  'LinkedIdentity.issuer': 'https://accounts.example.com',
  'LinkedIdentity.subject': '248289761001',
  'KnownPlace.place': '203.0.113.7',
};
