/** Changes that a slow reader has not read are merged: whoever gets those has what all of them give. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Block, type ListItem, listItem } from '../../../src/api/live/event-block.ts'
import { mergedItems } from '../../../src/api/live/merge.ts'
import { parseField } from '../../support/http/field.ts'
import { randomFrom } from '../../support/random-numbers.ts'
import { runSeed } from '../../support/run/extent.ts'

const runs = 300
const lists = ['a', 'b', 'c']
const ids = ['1', '2', '3', '4']

describe('Unread changes of followed lists', () => {
  const random = randomFrom(runSeed)
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T // never empty
  let version = 0

  function anyBlock(): Block {
    const some = lists.filter(() => random() < 0.5)
    const named = some.length === 0 ? [any(lists)] : some
    const kind = random()
    if (kind < 0.05) return { event: 'reset', lists: named, members: '"reason":"unknown"' }
    if (kind < 0.1) return { event: 'event', lists: ['told'], members: `"id":"${version++}"` }
    const row = { id: any(ids), kind: any(['enter', 'change', 'leave', 'delete'] as const) }
    const isThere = row.kind === 'enter' || row.kind === 'change'
    version++
    return {
      event: 'change',
      lists: named,
      row,
      members: `"version":${version}${isThere ? `,"row":{"v":${version}}` : ''}`,
    }
  }
  const anyItems = () =>
    Array.from({ length: 1 + Math.floor(random() * 15) }, (_each, place) =>
      listItem(
        Array.from({ length: 1 + Math.floor(random() * 3) }, anyBlock),
        random() < 0.1 ? '' : `cursor${place}`,
      ),
    )

  it('are merged to at most one of each row and list, and give what all of them give', () => {
    for (let run = 0; run < runs; run++) {
      const items = anyItems()
      const merged = mergedItems(items)
      for (const initial of [[], ids]) assert.deepEqual(taken(merged, initial), taken(items, initial))
      const changes = blocksIn(merged).filter(({ row }) => row !== undefined)
      const keys = changes.flatMap(({ lists: named, row }) =>
        (named ?? []).map((list) => `${list} ${row?.id}`),
      )
      assert.equal(new Set(keys).size, keys.length)
      const lastChange = blocksIn(merged).findLastIndex(({ event }) => event !== 'event')
      const firstEvent = blocksIn(merged).findIndex(({ event }) => event === 'event')
      assert.ok(firstEvent === -1 || lastChange < firstEvent, 'events follow all changes')
    }
  })

  it('have rows that are new to the client as entering', () => {
    const change = (kind: 'enter' | 'change', of: number): Block => ({
      event: 'change',
      lists: ['a'],
      row: { id: '1', kind },
      members: `"version":${of}`,
    })
    const [merged] = mergedItems([listItem([change('enter', 1)], 'x'), listItem([change('change', 2)], 'y')])
    assert.deepEqual(
      [merged?.text, merged?.cursor],
      ['event: change\nid: y\ndata: {"list":["a"],"kind":"enter","id":"1","version":2}\n\n', 'y'],
    )
  })
})

type Rows = Map<string, Map<string, number>>

/** What a client has that obeys the events, read from the text that it gets. @param initial rows that it has at first */
function taken(items: readonly ListItem[], initial: readonly string[]) {
  const rows: Rows = new Map(lists.map((list) => [list, new Map(initial.map((id) => [id, 0]))]))
  const resets = new Set<string>()
  const told: string[] = []
  let cursor: string | undefined
  for (const text of textOf(items).split('\n\n').filter(Boolean)) {
    const fields = new Map(text.split('\n').map(parseField))
    cursor = fields.get('id') ?? cursor
    const data = JSON.parse(fields.get('data') ?? '')
    const event = fields.get('event')
    if (event === 'event') told.push(data.id)
    if (event === 'change') for (const list of data.list) take(rows, list, data)
    if (event === 'reset')
      for (const list of data.list) {
        resets.add(list)
        rows.set(list, new Map())
      }
  }
  const sorted = [...rows].map(([list, own]) => [list, [...own].toSorted()])
  return { rows: sorted, resets: [...resets].toSorted(), told, cursor }
}

function take(rows: Rows, list: string, { kind, id, version }: Record<string, never>): void {
  if (kind === 'leave' || kind === 'delete') rows.get(list)?.delete(id ?? '')
  else rows.get(list)?.set(id ?? '', version ?? 0)
}

function blocksIn(items: readonly ListItem[]): Block[] {
  return items.flatMap(({ blocks }) => blocks)
}

function textOf(items: readonly ListItem[]): string {
  return items.map(({ text }) => text).join('')
}
