/** `duet doctor`: looks at everything a gateway needs, and says what to do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { LocalCommand } from './command.ts';
import { configurationFindings } from './doctor/configuration.ts';
import { connectionFindings } from './doctor/connections.ts';
import { advice, isUnwell, note, showFinding, wrong } from './doctor/finding.ts';
import { onDatabase } from './on-database.ts';

export const doctor: LocalCommand = async (env) => {
  const config = readConfig(env);
  const findings = [...(await configurationFindings(config)), ...(await connectionFindings(config))];
  process.stdout.write(findings.map(showFinding).join(''));
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'db'))) {
    process.stdout.write(
      showFinding(note('database', `embedded, will be made in ${config.dataDir} at the first start`)),
    );
    if (isUnwell(findings)) throw new OperatorError(advice);
    return;
  }
  try {
    await onDatabase('doctor', env, []);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.message !== advice) process.stdout.write(showFinding(wrong('database', error.message)));
    throw new OperatorError(advice);
  }
  if (isUnwell(findings)) throw new OperatorError(advice);
};
