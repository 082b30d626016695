/** The part of `duet doctor` that needs the database. */
import { OperatorError } from '../../lib/operator-error.ts';
import type { DatabaseCommand } from '../command.ts';
import { databaseFindings } from './database.ts';
import { advice, isUnwell, showFinding } from './finding.ts';

export const examineDatabase: DatabaseCommand = async ({ config, db, write }) => {
  const findings = await databaseFindings(config, db);
  write(findings.map(showFinding).join(''));
  if (isUnwell(findings)) throw new OperatorError(advice);
};
