/** The maximum number of values that are worked on at once, such as entities that are read for one caller. */
const maxConcurrent = 4

/** Works on a few values at a time. @returns the results in the order of the values */
export async function eachBeside<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const remaining = values.entries()
  const workOnRemaining = async (): Promise<void> => {
    // All workers share the iterator: each takes the next value.
    for (const [index, value] of remaining) results[index] = await work(value)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, workOnRemaining))
  return results
}
