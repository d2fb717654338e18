/** The rows of a file go to the service some at a time, until all are done or refused, or somebody stops it. */
import { newKey } from '../../new-key.ts'

interface Fault {
  status: number
}

interface SendOptions<R, F> {
  /** So many rows are in one request at most. */
  atOnce: number
  /** @param key the same for a repeated request @returns what is wrong with each row; nothing for what is done */
  send: (rows: readonly R[], key: string) => Promise<readonly (F | undefined)[]>
  onProgress?: (sent: number) => void
  isStopped?: () => boolean
  /** Waits before rows are sent again of which the service had time for none. */
  pause?: (tries: number) => Promise<unknown>
}

export interface SentRows<R, F> {
  refused: readonly { row: R; fault: F }[]
  /** Not sent, because it was stopped. */
  left: readonly R[]
}

const maxTries = 5
/** No reply, too many requests, no time: not what the row is. */
const later = [0, 429, 503]
const tooLarge = 413

export async function sendRows<R, F extends Fault>(
  rows: readonly R[],
  { atOnce, send, onProgress, isStopped, pause = waitSeconds }: SendOptions<R, F>,
): Promise<SentRows<R, F>> {
  const refused: { row: R; fault: F }[] = []
  let left = rows
  let most = atOnce
  let tries = 0
  let key = newKey()
  while (left.length > 0 && isStopped?.() !== true) {
    const some = left.slice(0, most)
    const faults = await send(some, key)
    const [fault] = faults
    if (fault?.status === tooLarge && some.length > 1 && faults.every((each) => each === fault)) {
      most = Math.ceil(some.length / 2)
      continue
    }
    const faulty = some.flatMap((row, index) => {
      const own = faults[index]
      return own === undefined ? [] : [{ row, fault: own }]
    })
    const isAgain = (own: F) => tries < maxTries && later.includes(own.status)
    const again = faulty.filter((each) => isAgain(each.fault)).map(({ row }) => row)
    refused.push(...faulty.filter((each) => !isAgain(each.fault)))
    left = [...again, ...left.slice(some.length)]
    onProgress?.(rows.length - left.length)
    tries = again.length === some.length ? tries + 1 : 0
    // Without a reply nobody knows what was done: the same request is repeated.
    if (tries === 0 || fault?.status !== 0) key = newKey()
    if (tries > 0) await pause(tries)
  }
  return { refused, left }
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
