/** An operation to begin with in GraphiQL, for the demo shop. */
export interface ExampleOperation {
  query: string;
  variables: Record<string, unknown>;
}
