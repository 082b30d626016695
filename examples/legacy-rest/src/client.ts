/** The REST client: openapi-fetch over the generated types, and nothing else. */
import createFetchClient from 'openapi-fetch';
import type { components, paths } from './generated/api';

export type Failure = components['schemas']['Error'];

export class RestError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export const createClient = (baseUrl: string) => createFetchClient<paths>({ baseUrl });

/** The data of an answer, or its failure thrown. */
export function unwrap<Data>({ data, error }: { data?: Data; error?: Failure }): Data {
  if (error || data === undefined) throw error ? new RestError(error) : new Error('There was no answer.');
  return data;
}
