/**
 * A time-out for a server that does not answer. An answer that has arrived during a pause of the process is read first:
 * timers that are due run before the sockets are read.
 */
export class AnswerTimeout {
  readonly #timer: NodeJS.Timeout
  #isOver = false

  constructor(ms: number, expire: () => void) {
    const expireUnlessOver = (): void => {
      if (!this.#isOver) expire()
    }
    this.#timer = setTimeout(() => setImmediate(expireUnlessOver), ms)
  }

  /** The answer has come. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}
