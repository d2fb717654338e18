/** Turns the error of a command into the text that a user sees. */
import { CannotListen } from '../api/http/connection/listener.ts'
import { CannotDecrypt } from '../core/encryption/secret-box.ts'
import { ServiceError } from '../core/errors.ts'
import { ApplicationError } from '../core/feature/application-error.ts'
import { ConfigError } from '../core/settings/config.ts'
import { DatabaseUnavailable } from '../database/executor.ts'
import { MigrationFailed, MigrationRefused } from '../database/migration.ts'
import { MigrationFileError, TablesDiffer, UndecidedChange } from '../database/schema/failure.ts'
import { DamagedFile } from '../database/sqlite/copy.ts'
import { errorCode } from '../database/thrown.ts'
import { CopyDiffers } from '../operations/rows/compare.ts'
import { UnwrittenOutput, UsageError } from './command.ts'

/** The errors whose message tells a user enough. Any other error is printed with its stack. */
const expected = [
  UsageError,
  ApplicationError,
  UndecidedChange,
  TablesDiffer,
  MigrationFileError,
  UnwrittenOutput,
  ConfigError,
  ServiceError,
  DatabaseUnavailable,
  MigrationFailed,
  MigrationRefused,
  DamagedFile,
  CannotListen,
  CannotDecrypt,
  CopyDiffers,
]

export function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || errorCode(error).startsWith('ERR_PARSE_ARGS')
}

/** @returns one line for an expected error, and the stack of any other */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isUsageError(error)) return `${firstSentence(error.message)} See tenantry --help.`
  if (error instanceof DatabaseUnavailable)
    return [error.message, reasonOf(error.cause)].filter(Boolean).join(' ')
  return expected.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message)
}

/** `parseArgs` appends advice to its message. */
function firstSentence(text: string): string {
  return `${text.split(/\.(?:\s|$)/)[0]}.`
}

/** Messages of drivers name hosts, users and databases, but no passwords. Of several addresses it reports the first. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? `(${error.message})` : ''
}

/** @returns the message of the driver, without those of the layers above it */
export function deepestReason(error: unknown): string {
  const isWrapper = error instanceof DatabaseUnavailable || error instanceof ServiceError
  return isWrapper && error.cause instanceof Error ? deepestReason(error.cause) : reasonOf(error)
}
