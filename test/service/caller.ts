/** A caller of several instances, as behind a load balancer: if one does not answer, the next is asked. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, Client } from '../support/client.ts'

const pauseMs = 20

export interface Reply extends Answer {
  /** The request was sent before on a connection that broke: it may have had its effect. */
  isRepeated: boolean
}

export class Caller {
  /** How many requests each instance has answered, by its address. */
  readonly answers = new Map<string, number>()
  readonly #clients: readonly Client[]
  #turn = 0

  constructor(urls: readonly string[], headers: Record<string, string>) {
    this.#clients = urls.map((url) => new Client(url, headers))
    for (const url of urls) this.answers.set(url, 0)
  }

  /** @returns the answer of the first that gives one */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const client = this.#next()
      const answer = await client.send(method, path, body, headers).catch(() => null)
      if (answer === null) {
        await delay(pauseMs)
        continue
      }
      this.answers.set(client.baseUrl, this.answersOf(client.baseUrl) + 1)
      return { ...answer, isRepeated: tries > 1 }
    }
  }

  answersOf(url: string): number {
    return this.answers.get(url) ?? 0
  }

  #next(): Client {
    const client = this.#clients[this.#turn++ % this.#clients.length]
    if (client === undefined) throw new Error('There is no instance to call.')
    return client
  }
}
