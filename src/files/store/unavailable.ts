import { refusal } from '../../core/errors.ts'
import { errorCode } from '../../database/thrown.ts'

const retryAfterSeconds = 5
const retryWithoutRoomSeconds = 30

/** @throws ServiceError `unavailable` for any failure of the work, such as a full disk */
export async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isFull(cause)
      ? refusal('noRoomForFile', {}, { cause, retryAfterSeconds: retryWithoutRoomSeconds })
      : refusal('filesNotReachable', {}, { cause, retryAfterSeconds })
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error))
}
