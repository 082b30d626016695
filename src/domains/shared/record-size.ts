/** Records grow by updates, and must still fit into an answer: a change has the record before and after it. */
import { validationError } from '../../errors.ts';

const maxRecordBytes = 1_000_000;

/** So long is what a customer makes, at most: staff must be able to go on with it. */
export const maxCustomerRecordBytes = 500_000;
/** Of that, what they write of their own. */
export const maxCustomerTextBytes = 100_000;

type Params = readonly unknown[];

interface Room {
  most?: number;
  /** The record as it is: one that was long before may stay so. */
  before?: () => Params;
}

/** The parameters that hold a record as a caller wants it; what the gateway adds later on its own is little. */
export function requireRecordSize<Given extends Params>(
  params: Given,
  { most = maxRecordBytes, before }: Room = {},
): Given {
  const bytes = bytesOf(params);
  if (bytes <= most || (before && bytes <= bytesOf(before()))) return params;
  throw validationError({
    field: '',
    error: 'RECORD_TOO_LARGE',
    message: `The record would have more than ${most} bytes.`,
  });
}

function bytesOf(params: Params): number {
  let bytes = 0;
  for (const param of params) if (typeof param === 'string') bytes += Buffer.byteLength(param);
  return bytes;
}

/** Whether words of customers leave room for others. */
export const isWithinTextLimit = (words: unknown, most = maxCustomerTextBytes): boolean =>
  Buffer.byteLength(JSON.stringify(words)) <= most;
