/** `duet doctor`: checks configuration, connections and database, and suggests fixes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../config.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import type { LocalCommand } from '../command-types.ts';
import { checkConfiguration } from '../doctor/check-configuration.ts';
import { checkExternalServices } from '../doctor/check-external-services.ts';
import {
  doctorFailureMessage,
  errorFinding,
  formatFinding,
  hasErrorFinding,
  noteFinding,
} from '../doctor/finding.ts';
import { parseCommandArgs } from '../parse-command-args.ts';
import { runDatabaseCommand } from '../run-database-command.ts';

export const doctorCommand: LocalCommand = async (env, args) => {
  parseCommandArgs(args, {});
  const config = readConfig(env);
  const findings = [...(await checkConfiguration(config, env)), ...(await checkExternalServices(config))];
  process.stdout.write(findings.map(formatFinding).join(''));
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'db'))) {
    process.stdout.write(
      formatFinding(
        noteFinding('database', `embedded, will be created in ${config.dataDir} at the first start`),
      ),
    );
    if (hasErrorFinding(findings)) throw new OperatorError(doctorFailureMessage);
    return;
  }
  try {
    await runDatabaseCommand('doctor', env, []);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.message !== doctorFailureMessage)
      process.stdout.write(formatFinding(errorFinding('database', error.message)));
    throw new OperatorError(doctorFailureMessage);
  }
  if (hasErrorFinding(findings)) throw new OperatorError(doctorFailureMessage);
};
