/** What changes of an entry answer. */
import { payloadOf } from '../../graphql/payload.ts';
import { EntryType } from './types.ts';

export const EntryPayload = payloadOf('EntryPayload', 'entry', EntryType);
