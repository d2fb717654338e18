/** A client that follows lists, as the documents tell clients to. */
import assert from 'node:assert/strict'
import type { Client } from '../../support/client.ts'
import { EventReader, type ServerEvent } from '../../support/graphql/event-reader.ts'

type Row = Record<string, unknown>

export interface Change {
  list: string[]
  kind: 'enter' | 'change' | 'leave' | 'delete'
  id: string
  version: number
  row?: Row
}

export class LiveReader implements AsyncDisposable {
  readonly reader: EventReader
  /** The cursor of the last event that had one. */
  cursor: string | null = null
  readonly ready: { list: string[]; refused: Record<string, { code: string; message: string }> }

  private constructor(reader: EventReader, first: ServerEvent) {
    this.reader = reader
    this.cursor = first.id
    this.ready = first.data
  }

  static async open(client: Client, lists: object, after: string | null = null): Promise<LiveReader> {
    const body = { lists, ...(after !== null && { after }) }
    const reader = await EventReader.open(client, { path: '/api/live', body })
    const first = await reader.inbox.next()
    assert.equal(first.event, 'ready', JSON.stringify(first))
    return new LiveReader(reader, first)
  }

  /** @returns the next event that is not only a cursor */
  async next(): Promise<ServerEvent> {
    for (;;) {
      const event = await this.reader.inbox.next()
      if (event.id !== null) this.cursor = event.id
      if (event.event !== 'cursor') return event
    }
  }

  async change(): Promise<Change> {
    const { event, data } = await this.next()
    assert.equal(event, 'change', JSON.stringify(data))
    return data
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reader.close()
  }
}
