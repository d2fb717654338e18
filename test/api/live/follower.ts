/** A client that keeps lists by their changes, as the documents tell clients to, and loses its connection anywhere. */
import assert from 'node:assert/strict'
import type { Client } from '../../support/client.ts'
import { parseField } from '../../support/http/field.ts'

type Row = Record<string, unknown>

export interface FollowedList {
  filter?: Record<string, string | number>
  fields?: string
}

interface Kept {
  version: number
  row: Row
}

/** Changes of memberships and of boards send no rows: a client that reaches rows by them reads again. */
const signals = {
  marker: { on: 'notice.created' },
  joined: { on: 'seat.created' },
  left: { on: 'seat.deleted' },
  kept: { on: 'board.updated' },
}

export class Follower {
  /** Of the instance that it speaks to. */
  client: Client
  readonly #userId: string
  readonly #lists: Readonly<Record<string, FollowedList>>
  readonly #rows = new Map<string, Map<string, Kept>>()
  /** Everything that it was sent. */
  text = ''
  resets = 0
  #cursor: string | null = null
  #marker: string | null = null
  /** In a batch that is not at its end. */
  #nextMarker: string | null = null
  #connection: { gone: AbortController; over: Promise<void>; left: number } | null = null

  constructor(client: Client, userId: string, lists: Readonly<Record<string, FollowedList>>) {
    this.client = client
    this.#userId = userId
    this.#lists = lists
  }

  /** Reads all lists, and follows them from the place of the first. */
  async begin(): Promise<void> {
    this.#cursor = await this.readAgain(Object.keys(this.#lists))
    await this.open()
  }

  async open(): Promise<void> {
    const gone = new AbortController()
    this.#nextMarker = null
    const lists = Object.entries(this.#lists).map(([name, list]) => [name, { entity: 'task', ...list }])
    const response = await fetch(`${this.client.baseUrl}/api/live`, {
      method: 'POST',
      headers: { ...this.client.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ after: this.#cursor, lists: { ...Object.fromEntries(lists), ...signals } }),
      signal: gone.signal,
    })
    assert.equal(response.status, 200, response.ok ? '' : await response.clone().text())
    assert.ok(response.body)
    const connection = { gone, over: Promise.resolve(), left: Number.POSITIVE_INFINITY }
    this.#connection = connection
    connection.over = this.#read(response.body, connection)
  }

  /** The connection ends after so many bytes more. */
  cutAfter(bytes: number): void {
    if (this.#connection !== null) this.#connection.left = bytes
  }

  /** @returns whether the connection is there no more */
  get isCut(): boolean {
    return this.#connection === null
  }

  async close(): Promise<void> {
    this.#connection?.gone.abort()
    await this.#connection?.over
  }

  /** @returns whether it has also taken what arrived together with the notice */
  hasSeen(noticeId: string): boolean {
    return this.#marker === noticeId
  }

  /** Compares every list with a fresh read. */
  async requireEqual(what: string): Promise<void> {
    for (const [name, kept] of this.#rows) {
      const { rows } = await this.#fresh(name)
      const own = [...kept.values()].map(({ row }) => row)
      assert.deepEqual(byId(own), byId(rows), `${what}: ${name}`)
    }
  }

  /** Reads all lists, after a change of rights that sends nothing. */
  async refresh(): Promise<void> {
    await this.readAgain(this.#rows.keys())
  }

  /** @returns the place of the first list */
  async readAgain(names: Iterable<string>): Promise<string | null> {
    let place: string | null = null
    for (const name of names) {
      if (this.#lists[name] === undefined) continue
      const { rows, cursor } = await this.#fresh(name)
      place ??= cursor
      this.#rows.set(name, new Map(rows.map((row) => [String(row['id']), { version: 0, row }])))
    }
    return place
  }

  async #fresh(name: string): Promise<{ rows: Row[]; cursor: string | null }> {
    const { filter = {}, fields } = this.#lists[name] ?? {}
    const query = new URLSearchParams({ limit: '100', ...(fields && { fields }) })
    for (const [parameter, value] of Object.entries(filter)) query.set(parameter, String(value))
    const { status, text, body, headers } = await this.client.get(`/api/tasks?${query}`)
    assert.equal(status, 200, text)
    return { rows: body, cursor: headers.get('live-cursor') }
  }

  async #read(
    body: ReadableStream<Uint8Array>,
    connection: { gone: AbortController; left: number },
  ): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body) {
        const some = chunk.subarray(0, connection.left)
        connection.left -= some.length
        const isOver = connection.left <= 0 // also if more bytes are allowed while it reads again
        text += decoder.decode(some, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) await this.#take(block)
        if (isOver) break
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error // else the connection is lost
    } finally {
      connection.gone.abort()
      this.#connection = null
    }
  }

  async #take(block: string): Promise<void> {
    this.text += block
    const fields = new Map(block.split('\n').map(parseField))
    const data = JSON.parse(fields.get('data') ?? 'null')
    switch (fields.get('event')) {
      case 'change':
        for (const name of data.list) this.#change(name, data)
        break
      case 'event':
        if (data.type === 'notice.created') this.#nextMarker = data.data.noticeId
        else if ((data.data.personId ?? this.#userId) === this.#userId)
          await this.readAgain(this.#rows.keys())
        break
      case 'reset':
        this.resets++
        await this.readAgain(data.list)
        break
      case 'end':
        if (data.reason === 'forbidden') await this.readAgain(this.#rows.keys())
        break
      default: // `ready` and `cursor` have a place alone
        break
    }
    const id = fields.get('id')
    if (id === undefined) return
    this.#cursor = id
    this.#marker = this.#nextMarker
  }

  #change(name: string, { kind, id, version, row }: { kind: string; id: string; version: number; row: Row }) {
    const rows = this.#rows.get(name)
    const known = rows?.get(id)
    if (kind === 'leave' || kind === 'delete') {
      if (known !== undefined && known.version <= version) rows?.delete(id)
    } else if (known === undefined || known.version < version) rows?.set(id, { version, row })
  }
}

function byId(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1))
}
