/** Work of a queue, and when it is due. */
export interface DueKey {
  /** The name of the queue. */
  queue: string
  key: string
  /** Milliseconds of Unix time. */
  dueMs: number
}
