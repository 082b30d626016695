/** Size limits of records. Records grow by updates and must fit into a response twice: a change contains the record before and after. */
import { validationError } from '../../errors.ts';

const maxRecordBytes = 1_000_000;

/** Limit for records written by customers; below the general limit, so that staff can still extend them. */
export const maxCustomerRecordBytes = 500_000;
/** Limit for free text of customers within a record. */
export const maxCustomerTextBytes = 100_000;

type Params = readonly unknown[];

interface SizeOptions {
  /** Default: 1,000,000 bytes. */
  maxBytes?: number;
  /** Parameters of the stored record: a record that already exceeds the limit may be saved if it does not grow. */
  before?: () => Params;
}

/** Returns the query parameters of a record, or throws RECORD_TOO_LARGE. */
export function requireRecordWithinSizeLimit<RecordParams extends Params>(
  params: RecordParams,
  { maxBytes = maxRecordBytes, before }: SizeOptions = {},
): RecordParams {
  const bytes = bytesOf(params);
  if (bytes <= maxBytes || (before && bytes <= bytesOf(before()))) return params;
  throw validationError('', 'RECORD_TOO_LARGE', `The record would exceed ${maxBytes} bytes.`);
}

function bytesOf(params: Params): number {
  let bytes = 0;
  for (const param of params) if (typeof param === 'string') bytes += Buffer.byteLength(param);
  return bytes;
}

/** True when free text of a customer stays within the limit, measured as JSON. */
export const isWithinCustomerTextLimit = (value: unknown, maxBytes = maxCustomerTextBytes): boolean =>
  Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
