/** Signing in, in GraphiQL. */
import type { ExampleOperation } from '../example-operation.ts';

export const examples: readonly ExampleOperation[] = [
  {
    query: `# An access token for a visitor. In "Headers" it takes the place of the page's own.
mutation SignIn($input: LoginInput!) {
  login(input: $input) {
    auth {
      accessToken
      expiresAt
      isGuest
    }
  }
}
`,
    variables: { input: { provider: 'GUEST' } },
  },
  {
    query: `# Everything that is kept about whoever asks; REST has it at /v1/users/me/export.
query MyData {
  exportMe {
    exportedAt
    user {
      name
      email
    }
    orders {
      id
      total
      currency
    }
    subscriptions {
      entity
      status
    }
  }
}
`,
    variables: {},
  },
];
