import { ServiceError } from '../../core/errors.ts'
import { errorCode } from '../../database/thrown.ts'

const retryAfterSeconds = 5
const retryWithoutRoomSeconds = 30

/** @throws ServiceError `unavailable` for any failure of the work, such as a full disk */
export async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isFull(cause)
      ? new ServiceError('unavailable', 'The service has no room for the file.', {
          cause,
          retryAfterSeconds: retryWithoutRoomSeconds,
        })
      : new ServiceError('unavailable', 'The store of files cannot be reached.', { cause, retryAfterSeconds })
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error))
}
