import { ServiceError } from '../errors.ts'

const retryAfterSeconds = 2

/**
 * A tenant's own database cannot be opened. The cause was logged when it occurred; repeated attempts do not log it
 * again.
 */
export class TenantDatabaseUnavailable extends ServiceError {
  /** @param waitMs the time until the database is tried again; 0 if the next request tries it */
  constructor(cause: unknown, waitMs = 0) {
    const seconds = Math.max(retryAfterSeconds, Math.ceil(waitMs / 1000))
    super('unavailable', 'The database of this tenant is not ready yet.', {
      cause,
      retryAfterSeconds: seconds,
    })
  }
}

/** The log level for a failure of background work that is repeated. */
export function retryLogLevel(error: unknown): 'debug' | 'warn' {
  return error instanceof TenantDatabaseUnavailable ? 'debug' : 'warn'
}
