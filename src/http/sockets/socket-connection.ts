/** One connection of the protocol graphql-transport-ws: from `connection_init` to the end of its operations. */
import { CloseCode, MessageType, type SubscribeMessage, stringifyMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { AppError } from '../../errors.ts';
import { appErrorToGraphqlError } from '../../graphql/execute/request-errors.ts';
import { newId } from '../../lib/ids.ts';
import { isStreamInterruptedError } from '../../live/live-subscription.ts';
import type { DispatchHttpRequest } from '../dispatch-request.ts';
import {
  createSocketOperationRequest,
  parseValidMessage,
  readConnectionInitHeaders,
  runSocketOperation,
  type SocketHandshake,
} from './socket-operation.ts';

/** Clients reconnect after these codes of RFC 6455. */
const serviceRestartCloseCode = { code: 1012, reason: 'The gateway is shutting down. Connect again.' };
const interrupted = { code: 1012, reason: 'The stream was interrupted. Connect again.' };
const tryAgainLater = { code: 1013, reason: 'Too many connections with these credentials.' };

/** Operations that one connection may run at the same time. */
const maxOperations = 100;
/** Unsent bytes above which a client that still sends messages is disconnected. */
const maxUnsentBytes = 4 * 1024 * 1024;

interface SocketConnectionOptions {
  dispatch: DispatchHttpRequest;
  handshake: SocketHandshake;
  /** Processes a message of this many bytes now, or later if the network sends many. */
  inTurn(bytes: number, process: () => void): void;
  /** Reserves a connection of the credentials until the socket closes; false if they have too many. */
  reserve(credentials: string | undefined): boolean;
}

export class SocketConnection {
  readonly #socket: WebSocket;
  readonly #options: SocketConnectionOptions;
  readonly #operations = new Map<string, AbortController>();
  #headers: ReadonlyMap<string, string> | undefined;
  #stopping = false;

  constructor(socket: WebSocket, options: SocketConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? undefined : String(data);
      options.inTurn(text?.length ?? 0, () => this.#processMessage(text));
    });
    socket.once('close', () => {
      for (const operation of this.#operations.values()) operation.abort();
    });
  }

  get isInitialized(): boolean {
    return this.#headers !== undefined;
  }

  /** Closes the connection once its running operations have ended. */
  stop(): void {
    this.#stopping = true;
    this.#closeIfStopped();
  }

  #closeIfStopped(): void {
    if (this.#stopping && this.#operations.size === 0)
      this.#socket.close(serviceRestartCloseCode.code, serviceRestartCloseCode.reason);
  }

  #send(message: Parameters<typeof stringifyMessage>[0]): Promise<void> {
    return new Promise((resolve) => {
      // A failed write also closes the socket.
      if (this.#socket.readyState === this.#socket.OPEN)
        this.#socket.send(stringifyMessage(message), () => resolve());
      else resolve();
    });
  }

  /** `text` is undefined for a binary message. */
  #processMessage(text: string | undefined): void {
    const socket = this.#socket;
    // Further messages of a connection that is being closed have no effect.
    if (socket.readyState !== socket.OPEN) return;
    if (text === undefined) socket.close(CloseCode.BadRequest, 'Messages must be text.');
    else if (socket.bufferedAmount > maxUnsentBytes) socket.terminate();
    else this.#receive(text);
  }

  #receive(text: string): void {
    const message = parseValidMessage(text);
    if (message?.type === MessageType.ConnectionInit) this.#initialise(message.payload ?? {});
    else if (message?.type === MessageType.Subscribe) this.#subscribe(message);
    else if (message?.type === MessageType.Ping) this.#pong(message.payload);
    else if (message?.type === MessageType.Complete) this.#abort(message.id);
    else if (message?.type !== MessageType.Pong)
      this.#socket.close(CloseCode.BadRequest, 'The message is not one that clients send.');
  }

  #pong(payload: Record<string, unknown> | undefined): void {
    void this.#send({ type: MessageType.Pong, ...(payload ? { payload } : {}) });
  }

  #abort(id: string): void {
    this.#operations.get(id)?.abort();
    this.#operations.delete(id);
  }

  #initialise(params: Readonly<Record<string, unknown>>): void {
    const headers = readConnectionInitHeaders(params);
    if (this.#headers) {
      this.#socket.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
    } else if (!headers) {
      this.#socket.close(
        CloseCode.BadRequest,
        'Headers must be printable ASCII of at most 8,000 characters.',
      );
    } else if (!this.#options.reserve(this.#credentialsOf(headers))) {
      this.#socket.close(tryAgainLater.code, tryAgainLater.reason);
    } else {
      this.#headers = headers;
      void this.#send({ type: MessageType.ConnectionAck });
    }
  }

  #credentialsOf(headers: ReadonlyMap<string, string>): string | undefined {
    const credentials = ['authorization', 'x-api-key'].flatMap(
      (name) => headers.get(name) ?? this.#options.handshake.header(name) ?? [],
    );
    return credentials.length === 0 ? undefined : credentials.join('\n');
  }

  #subscribe({ id, payload }: SubscribeMessage): void {
    if (!this.#headers) {
      this.#socket.close(CloseCode.Unauthorized, 'Unauthorized');
    } else if (this.#operations.has(id)) {
      this.#socket.close(
        CloseCode.SubscriberAlreadyExists,
        `Subscriber for ${id.slice(0, 50)} already exists`,
      );
    } else if (this.#operations.size >= maxOperations) {
      void this.#send({ id, type: MessageType.Error, payload: [tooManyError()] });
    } else {
      const operation = new AbortController();
      this.#operations.set(id, operation);
      void this.#run(id, payload, this.#headers, operation.signal).finally(() => {
        if (this.#operations.get(id) === operation) this.#operations.delete(id);
        this.#closeIfStopped();
      });
    }
  }

  async #run(
    id: string,
    payload: object,
    headers: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { dispatch, handshake } = this.#options;
    try {
      const request = createSocketOperationRequest(handshake, headers, payload, signal);
      for await (const result of runSocketOperation(dispatch, request, signal)) {
        if (signal.aborted) return;
        // An operation without data did not start, or has lost its access: the protocol ends it by an error message.
        if (result.errors && result.data === undefined) {
          await this.#send({ id, type: MessageType.Error, payload: result.errors });
          return;
        }
        // Awaiting the write slows the operation down to the speed of the client.
        await this.#send({ id, type: MessageType.Next, payload: result });
      }
      if (!signal.aborted) await this.#send({ id, type: MessageType.Complete });
    } catch (error) {
      if (signal.aborted) return;
      if (isStreamInterruptedError(error)) this.#socket.close(interrupted.code, interrupted.reason);
      else this.#socket.close(CloseCode.InternalServerError, 'Internal server error');
    }
  }
}

function tooManyError() {
  const message = `At most ${maxOperations} operations may run at the same time per connection.`;
  const { extensions, ...error } = appErrorToGraphqlError(new AppError('RATE_LIMITED', message)).toJSON();
  const { http: _internal, ...others } = extensions ?? {};
  return { ...error, extensions: { ...others, requestId: newId() } };
}
