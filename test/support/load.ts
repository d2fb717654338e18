/** Work that goes on beside a test until it is stopped. */
import { eventually } from './eventually.ts'

export interface Load extends AsyncDisposable {
  /** Waits for the rounds that have begun. @throws what a worker has thrown */
  stop(): Promise<void>
}

/**
 * Each worker repeats the work, one round after the other.
 * @param work one round of a worker; the number of the round counts from 0
 */
export function startLoad<Worker>(
  workers: readonly Worker[],
  work: (worker: Worker, round: number, isStopped: () => boolean) => Promise<void>,
): Load {
  let stopped = false
  const repeat = async (worker: Worker): Promise<void> => {
    for (let round = 0; !stopped; round++) await work(worker, round, () => stopped)
  }
  const working = Promise.all(workers.map(repeat))
  working.catch(() => undefined) // reported when the load is stopped
  const stop = async (): Promise<void> => {
    stopped = true
    await working
  }
  return { stop, [Symbol.asyncDispose]: () => stop().catch(() => undefined) }
}

/** Waits until a load has added so many more to what it remembers. */
export async function grown(remembered: ReadonlySet<string>, more: number): Promise<void> {
  const goal = remembered.size + more
  await eventually(`${more} more`, 30_000, async () => remembered.size >= goal)
}
