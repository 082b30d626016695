/** Opens the port of a server; errors name the variable to correct. */
import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import { OperatorError } from '../lib/operator-errors.ts';

export function listenOnPort(
  server: Server,
  { port, host }: Pick<Config, 'port' | 'host'>,
  variable = 'PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(explainListenError(error, variable, port, host)),
    );
    server.listen(port, host, resolve);
  });
}

function explainListenError(
  error: NodeJS.ErrnoException,
  variable: string,
  port: number,
  host: string | undefined,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `${variable}: ${port} is taken by another process. Stop that one, or choose another port.`,
      );
    case 'EACCES':
      return new OperatorError(`${variable}: this user may not listen on ${port}. Choose a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        `HOST: ${host} is not an address of this machine. Correct it, or leave it out.`,
      );
    default:
      return error;
  }
}
