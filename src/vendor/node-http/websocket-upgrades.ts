/** Requests of node:http that ask for another protocol than WebSocket, such as `h2c` of Java's HttpClient, stay requests. */
import { IncomingMessage } from 'node:http';

/**
 * For the option `IncomingMessage` of `createServer`. A server that listens to `upgrade` emits it for every request with an Upgrade header,
 * instead of `request`. Node decides by the property `upgrade`, which its parser sets.
 */
export class WebSocketOnlyUpgradeRequest extends IncomingMessage {
  private declare isUpgrade: unknown;

  get upgrade(): boolean {
    return this.isUpgrade === true && /^websocket$/i.test(this.headers.upgrade ?? '');
  }

  set upgrade(value: unknown) {
    this.isUpgrade = value;
  }
}
