import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Job, Outcome } from './job.ts'

/** The load generator's process; one job at a time. */
export class Load {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'generator.ts'))
  }

  /** @throws Error when a request fails or is answered with another status or text or with GraphQL errors */
  async run(job: Job): Promise<Outcome> {
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const ended = () => reject(new Error('The load generator ended.'))
      this.#child.once('exit', ended)
      this.#child.once('message', (message) => {
        this.#child.off('exit', ended)
        resolve(message as Outcome) // the generator sends nothing else
      })
      this.#child.send(job)
    })
    if (outcome.faults > 0)
      throw new Error(
        `${outcome.faults} answers were not ${job.expectedStatus}, or had errors or another number of rows.`,
      )
    return outcome
  }

  stop(): void {
    this.#child.disconnect()
  }
}
