/** Follows `onOrderCreated` by server-sent events, and resumes at the next instance when its stream breaks. */
import { setTimeout as delay } from 'node:timers/promises'
import { parseField } from '../support/http/field.ts'

const pauseMs = 20
const query = 'subscription { onOrderCreated { id number } }'

export interface FollowedOrder {
  id: string
  number: number
}

export class Follower implements AsyncDisposable {
  /** In the order in which they came. */
  readonly orders: FollowedOrder[] = []
  /** The addresses at which a stream began, one after the other. */
  readonly streams: string[] = []
  readonly #urls: readonly string[]
  readonly #headers: Record<string, string>
  #turn = 0
  #lastId: string | null = null
  #leaving = new AbortController()
  #isOver = false
  readonly #following: Promise<void>

  /** Begins at the first of them. */
  constructor(urls: readonly string[], headers: Record<string, string>) {
    this.#urls = urls
    this.#headers = headers
    this.#following = this.#follow()
  }

  /** Ends its stream, and resumes at this instance. */
  moveTo(url: string): void {
    this.#turn = this.#urls.indexOf(url)
    this.#leaving.abort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.#leaving.abort()
    await this.#following
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      const url = this.#urls[this.#turn++ % this.#urls.length] ?? ''
      this.#leaving = new AbortController()
      await this.#read(url).catch(() => delay(pauseMs)) // broken: it goes on at the next
    }
  }

  async #read(url: string): Promise<void> {
    const { signal } = this.#leaving
    const headers = {
      ...this.#headers,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(this.#lastId !== null && { 'last-event-id': this.#lastId }),
    }
    const body = JSON.stringify({ query })
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body, signal })
    if (response.body === null) return
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      if (text === '' && chunk.startsWith(':')) this.streams.push(url)
      const blocks = `${text}${chunk}`.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string): void {
    const fields = new Map(block.split('\n').map(parseField))
    if (fields.get('event') !== 'next') return
    this.orders.push(JSON.parse(fields.get('data') ?? '').data.onOrderCreated)
    this.#lastId = fields.get('id') ?? this.#lastId
  }
}
