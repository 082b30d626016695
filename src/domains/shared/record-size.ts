/** Records grow by updates, and must still fit into an answer: a change has the record before and after it. */
import { invalid } from '../../errors.ts';

const maxRecordBytes = 1_000_000;

/** The parameters that hold a record as a caller wants it; what the gateway adds later on its own is little. */
export function fitting<Params extends readonly unknown[]>(params: Params): Params {
  let bytes = 0;
  for (const param of params) if (typeof param === 'string') bytes += Buffer.byteLength(param);
  if (bytes <= maxRecordBytes) return params;
  throw invalid({
    field: '',
    error: 'RECORD_TOO_LARGE',
    message: `The record would have more than ${maxRecordBytes} bytes.`,
  });
}
