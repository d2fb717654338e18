import type { Logger } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../../../database/executor.ts'

const longest = 500

/**
 * What the receipt says of an action that has thrown. What systems say (they give their errors a code) is for the log
 * alone. @throws DatabaseUnavailable as it is: then nothing can be written down either
 */
export function describeFailure(
  log: Logger,
  error: unknown,
  { id, receipt_id, action }: { id: string; receipt_id: string; action: string },
): string {
  if (error instanceof DatabaseUnavailable) throw error
  if (error instanceof ServiceError) return storable(error.message)
  log.warn({ err: error, run: id, receipt: receipt_id, action }, 'action failed')
  const isOfSystem = error instanceof ConstraintViolation || !(error instanceof Error) || 'code' in error
  return isOfSystem
    ? `The action failed. The log has the cause under the run ${id}.`
    : storable(error.message)
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, longest).toWellFormed()
}
