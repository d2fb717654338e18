/** Sends the rows of a file to the service in several requests, until all are sent or the user stops it. */
import { newKey } from '../../new-key.ts'

interface Fault {
  status: number
}

interface SendOptions<R, F> {
  /** The maximum number of rows in one request. */
  atOnce: number
  /**
   * @param key an idempotency key, the same for a repeated request
   * @returns the fault of each row, `undefined` for a created row
   */
  send: (rows: readonly R[], key: string) => Promise<readonly (F | undefined)[]>
  onProgress?: (sent: number) => void
  isStopped?: () => boolean
  /** Waits before rows are sent again for which the service had no time. */
  pause?: (tries: number) => Promise<unknown>
}

export interface SentRows<R, F> {
  refused: readonly { row: R; fault: F }[]
  /** The rows that were not sent because the user stopped it. */
  left: readonly R[]
}

const maxTries = 5
/** Statuses that are not due to the rows: no reply, too many requests, service busy. */
const later = [0, 429, 503]
const tooLarge = 413

export async function sendRows<R, F extends Fault>(
  rows: readonly R[],
  { atOnce, send, onProgress, isStopped, pause = waitSeconds }: SendOptions<R, F>,
): Promise<SentRows<R, F>> {
  const refused: { row: R; fault: F }[] = []
  let remaining = rows
  let maxRows = atOnce
  let tries = 0
  let key = newKey()
  while (remaining.length > 0 && isStopped?.() !== true) {
    const batch = remaining.slice(0, maxRows)
    const faults = await send(batch, key)
    const [fault] = faults
    if (fault?.status === tooLarge && batch.length > 1 && faults.every((each) => each === fault)) {
      maxRows = Math.ceil(batch.length / 2)
      continue
    }
    const faulty = batch.flatMap((row, index) => {
      const own = faults[index]
      return own === undefined ? [] : [{ row, fault: own }]
    })
    const isAgain = (own: F) => tries < maxTries && later.includes(own.status)
    const again = faulty.filter((each) => isAgain(each.fault)).map(({ row }) => row)
    refused.push(...faulty.filter((each) => !isAgain(each.fault)))
    remaining = [...again, ...remaining.slice(batch.length)]
    onProgress?.(rows.length - remaining.length)
    tries = again.length === batch.length ? tries + 1 : 0
    // Without a reply it is not known whether the rows were created, so the same request is repeated with the same key.
    if (tries === 0 || fault?.status !== 0) key = newKey()
    if (tries > 0) await pause(tries)
  }
  return { refused, left: remaining }
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
