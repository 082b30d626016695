/** Recorders of finished requests that the configuration switches on: usage counts and the request log. */
import type { Config } from './config.ts';
import {
  createRequestRecorder,
  type RequestRecorderServices,
} from './domains/request-log/request-recorder.ts';
import { createUsageRecorder } from './domains/usage/usage-recorder.ts';
import { noopRequestLog, type RequestLogRecorder } from './ports/request-log.ts';
import { noopUsage, type UsageRecorder } from './ports/usage.ts';

interface UsageAndRequestLogRecorders {
  readonly usage: UsageRecorder;
  readonly requestLog: RequestLogRecorder;
  /** Starts to write every few seconds. */
  start(): void;
  /** Writes the remaining records. */
  stop(): Promise<void>;
}

export function createUsageAndRequestLogRecorders(
  config: Config,
  services: RequestRecorderServices,
): UsageAndRequestLogRecorders {
  const usage = config.usage ? createUsageRecorder(services.db, services.log) : noopUsage;
  const requestLog = config.requestLog ? createRequestRecorder(services) : noopRequestLog;
  return {
    usage,
    requestLog,
    start() {
      usage.start();
      requestLog.start();
    },
    async stop() {
      await usage.stop();
      await requestLog.stop();
    },
  };
}
