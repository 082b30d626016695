/** What a client is called in lists for operators. */
import type { Used } from './read.ts';

export const clientLabel = ({ client, userId, keyName, userName }: Used): string =>
  userId === undefined
    ? // A name must not pass for a key.
      client.startsWith('key ')
      ? JSON.stringify(client)
      : client
    : `key ${client}${keyName === undefined || keyName === client ? '' : ` "${keyName}"`} of ${userName ?? userId}`;
