/** OpenAPI example values for fields of accounts, sessions and API keys, by GraphQL coordinate. */
export const fields = {
  'User.name': 'Ada Lovelace',
  'LinkedIdentity.issuer': 'https://accounts.example.com',
  'LinkedIdentity.subject': '248289761001',
  'KnownPlace.place': '203.0.113.7',
  'AuthResult.accessToken': 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTkwIn0.c2lnbmVk',
  'AuthResult.refreshToken': 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiIwMTkxIn0.c2lnbmVk',
  'AuthResult.tokenType': 'Bearer',
  'AuthResult.scope': 'user',
  'AuthResult.provider': 'EMAIL',
  'AuthResult.isGuest': false,
  'ApiToken.name': 'Warehouse',
  'ApiToken.value': '****4bPq',
  'SecurityEvent.address': '203.0.113.7',
  'Session.address': '203.0.113.7',
  'Query.loginUrl': 'https://accounts.example.com/authorize?client_id=duet&state=x1',
  'User.email': 'ada@people.example',
};
