/** Hostile callers of `bench:hostile` that use their sockets in unusual ways: pipelined requests and floods of WebSocket messages. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { httpRequest } from './load.ts';

interface SocketCaller {
  port: number;
  address: string;
  count(status: number): void;
}

const pipelined = 100;
const messagesPerWrite = 500;

/** Sends many requests at once, again when all responses have arrived. */
async function pipelineRequests({ port, address, count }: SocketCaller): Promise<void> {
  const requests = httpRequest('GET', '/health/live', { 'x-forwarded-for': address }).repeat(pipelined);
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    let left = pipelined;
    socket.on('connect', () => socket.write(requests));
    socket.on('data', (data) => {
      for (const [, status] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        count(Number(status));
        left -= 1;
      }
      if (left > 0) return;
      left = pipelined;
      socket.write(requests);
    });
    await new Promise<void>((resolve) => {
      socket.on('error', () => count(0));
      socket.on('close', () => resolve());
    });
    await sleep(100);
  }
}

/** Counts each pong as a response. */
async function sendMessages({ port, address, count }: SocketCaller): Promise<void> {
  for (;;) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      headers: { 'x-forwarded-for': address },
    });
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => count(0));
    socket.on('message', () => count(200));
    socket.on('open', async () => {
      socket.send('{"type":"connection_init"}');
      for (; socket.readyState === WebSocket.OPEN; await sleep(5))
        for (let n = 0; n < messagesPerWrite && socket.bufferedAmount < 100_000; n += 1)
          socket.send('{"type":"ping"}');
    });
    await closed;
    await sleep(100);
  }
}

const onSockets = (run: (caller: SocketCaller) => Promise<void>) => (caller: SocketCaller) =>
  Promise.all(Array.from({ length: 50 }, () => run(caller)));

export const hostileSockets = {
  'pipelined requests': onSockets(pipelineRequests),
  'socket messages': onSockets(sendMessages),
};
