/**
 * A time-out for a server that does not answer. After a pause of the process, due timers run before sockets are
 * read; the time-out therefore expires only after the sockets were read, in case the answer has arrived meanwhile.
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

  /** Ends the time-out, because the answer has come. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}
