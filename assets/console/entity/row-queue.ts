/** Sends the changes of one row one after the other. Each begins with the row that the one before has returned. */

/** @param base the row to change @param isLast whether no other change of the row waits */
type Work<T> = (base: T, isLast: () => boolean) => Promise<T>

/**
 * @returns a function that queues a change; `base` is used if no other change of the row `id` is running. `work`
 *   must not reject.
 */
export function rowQueue<T>(): (id: string, base: T, work: Work<T>) => Promise<T> {
  const last = new Map<string, Promise<T>>()
  return (id, base, work) => {
    const result = Promise.resolve(last.get(id) ?? base).then(async (current) => {
      const changed = await work(current, () => last.get(id) === result)
      if (last.get(id) === result) last.delete(id)
      return changed
    })
    last.set(id, result)
    return result
  }
}
