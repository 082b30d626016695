/** Example operations on the user account and its businesses, for GraphiQL. */
import type { ExampleOperation } from '../example-operation-type.ts';

export const exampleOperations: readonly ExampleOperation[] = [
  {
    query: `# Returns an access token for a guest. Set it under "Headers" to replace the token of this page.
mutation SignIn($input: LoginInput!) {
  login(input: $input) {
    auth {
      accessToken
      expiresAtDateTime
      isGuest
    }
  }
}
`,
    variables: { input: { provider: 'GUEST' } },
  },
  {
    query: `# Exports all personal data of the viewer; the REST route is /v1/users/me/export.
query MyData {
  exportMe {
    exportedAtDateTime
    user {
      name
      email
    }
    orders {
      id
      totalMoney {
        formatted
      }
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
  {
    query: `# Businesses of which the viewer is a member: sign in, or use a token of your own.
query Businesses {
  businesses {
    nodes {
      id
      name
      slug
    }
  }
}
`,
    variables: {},
  },
];
