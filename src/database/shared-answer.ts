/**
 * One answer for all who ask while it is made, and for so long afterwards: what anybody may ask for costs the same
 * however often it is asked.
 * @param maxAgeMs 0 for those alone who ask while it is made
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
