/** Changes of one row go one after the other, each from what the one before has left. */

/** @param isLast whether no other change of the row waits */
type Work<T> = (base: T, isLast: () => boolean) => Promise<T>

/** @returns begins with `base` if no change of the row `id` is on its way; `work` does not reject */
export function rowQueue<T>(): (id: string, base: T, work: Work<T>) => Promise<T> {
  const last = new Map<string, Promise<T>>()
  return (id, base, work) => {
    const result = Promise.resolve(last.get(id) ?? base).then(async (left) => {
      const made = await work(left, () => last.get(id) === result)
      if (last.get(id) === result) last.delete(id)
      return made
    })
    last.set(id, result)
    return result
  }
}
