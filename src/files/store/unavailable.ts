import { ServiceError } from '../../core/errors.ts'

const retryAfterSeconds = 5

/** @throws ServiceError `unavailable` for any failure of the work */
export async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new ServiceError('unavailable', 'The store of files cannot be reached.', {
      cause,
      retryAfterSeconds,
    })
  }
}
