/** Many simultaneous sign-ins, and how many the service has answered. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestService } from '../support/service.ts'

/** Each sign-in comes from an address of its own, for a user that does not exist. */
export class Flood {
  /** Grows as they come. */
  readonly answers: Response[] = []
  readonly #size: number
  readonly #clients = new AbortController()
  readonly #all: Promise<unknown>

  constructor({ url }: TestService, size: number) {
    this.#size = size
    const network = `10.${[...randomBytes(2)].join('.')}`
    const send = async (_: unknown, index: number): Promise<void> => {
      const answer = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `${network}.${index + 1}` },
        body: JSON.stringify({ userName: `nobody-${index}`, password: 'Wrong@123' }),
        signal: this.#clients.signal,
      })
      this.answers.push(answer)
    }
    this.#all = Promise.allSettled(Array.from({ length: size }, send))
  }

  /** Nearly all are still unanswered: later requests have not waited for them. */
  isOvertaken(): void {
    const answered = this.answers.length
    assert.ok(answered < this.#size / 2, `${answered} of ${this.#size} were answered before`)
  }

  async end(): Promise<readonly Response[]> {
    await this.#all
    return this.answers
  }

  /** All its clients go away. */
  async stop(): Promise<void> {
    this.#clients.abort()
    await this.#all
  }
}

export async function readFigure({ anonymous }: TestService, name: string): Promise<number> {
  const { text } = await anonymous.get('/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length))
}

export async function queueHolds(service: TestService, isEnough: (depth: number) => boolean): Promise<void> {
  const holds = async () => isEnough(await readFigure(service, 'password_hash_queue_depth'))
  await eventually('the depth of the queue', soonMs, holds)
}
