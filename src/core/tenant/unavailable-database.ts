import { ServiceError } from '../errors.ts'

const retryAfterSeconds = 2

/** The cause is in the log already: repeated attempts do not log it again. */
export class TenantDatabaseUnavailable extends ServiceError {
  constructor(cause: unknown, waitMs: number) {
    const seconds = Math.max(retryAfterSeconds, Math.ceil(waitMs / 1000))
    super('unavailable', 'The database of this tenant is not ready yet.', {
      cause,
      retryAfterSeconds: seconds,
    })
  }
}

/** The log level of repeated background work. */
export function levelOf(error: unknown): 'debug' | 'warn' {
  return error instanceof TenantDatabaseUnavailable ? 'debug' : 'warn'
}
