/** Example operation for GraphiQL, on the data of the demo shop. */
export interface ExampleOperation {
  query: string;
  variables: Record<string, unknown>;
}
