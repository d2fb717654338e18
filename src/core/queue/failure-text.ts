import { ConstraintViolation } from '../../database/executor.ts'
import { ServiceError } from '../errors.ts'

const maxLength = 500

/**
 * The error of failed work, as users of the tenant see it.
 * @returns `null` for a system error, which has a code: only the log may have it
 */
export function failureText(error: unknown): string | null {
  if (error instanceof ServiceError) return storable(error.message)
  const isSystemError = error instanceof ConstraintViolation || !(error instanceof Error) || 'code' in error
  return isSystemError ? null : storable(error.message)
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, maxLength).toWellFormed()
}
