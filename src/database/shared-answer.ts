/**
 * Shares one answer among all callers that ask while it is made, and for `maxAgeMs` afterwards: the cost does not grow
 * with the number of callers.
 * @param maxAgeMs 0: only callers that ask while the answer is made share it
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
