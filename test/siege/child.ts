/** A process of the siege, which answers each message with one message. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export class Child<Message, Reply> {
  readonly #process: ChildProcess

  /** @param script of this folder */
  constructor(script: string) {
    this.#process = fork(join(import.meta.dirname, script))
  }

  send(message: Message): void {
    this.#process.send(message as object) // messages are values that JSON can carry
  }

  /** @throws Error when the process ends instead */
  ask(message: Message): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('A process of the siege ended.'))
      this.#process.once('exit', ended)
      this.#process.once('message', (reply) => {
        this.#process.off('exit', ended)
        resolve(reply as Reply) // what its script sends
      })
      this.send(message)
    })
  }

  stop(): void {
    this.#process.kill()
  }
}
