import { ServiceError } from '../errors.ts'

const retryAfterSeconds = 2

/** The log has the cause already: whoever tries again and again need not tell of it. */
export class TenantDatabaseUnavailable extends ServiceError {
  constructor(cause: unknown, waitMs: number) {
    const seconds = Math.max(retryAfterSeconds, Math.ceil(waitMs / 1000))
    super('unavailable', 'The database of this tenant is not ready yet.', {
      cause,
      retryAfterSeconds: seconds,
    })
  }
}

/** For work in the background that is repeated. */
export function levelOf(error: unknown): 'debug' | 'warn' {
  return error instanceof TenantDatabaseUnavailable ? 'debug' : 'warn'
}
