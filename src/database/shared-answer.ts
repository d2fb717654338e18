/**
 * Shares one result among all callers that ask while it is computed, and for `maxAgeMs` afterwards: the cost does not
 * grow with the number of callers.
 * @param maxAgeMs 0: only callers that ask during the computation share the result
 */
export function shareAnswer<T>(make: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let answer: Promise<T> | null = null
  let oldAtMs = 0
  return () => {
    if (answer !== null && performance.now() < oldAtMs) return answer
    oldAtMs = Number.POSITIVE_INFINITY
    answer = make().finally(() => {
      oldAtMs = performance.now() + maxAgeMs
    })
    return answer
  }
}
