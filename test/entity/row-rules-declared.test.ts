/** Rules of rows that make no sense end the start, with their place. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  entity,
  integer,
  like,
  oneOf,
  type ReferencedEntity,
  reference,
  text,
  user,
} from '../../src/index.ts'

const team = entity('team', { fields: { name: text() } })
const fields = {
  title: text(),
  state: oneOf('open', 'closed').default('open'),
  size: integer().default(1),
  owner: user().optional(),
  team: reference(team).optional(),
}

const task = (rows: object, sort: readonly ('state' | 'title')[] = ['state', 'title']) =>
  entity('task', { fields, sort, access: { rows: rows as never } }) // tried for what it does

describe('A declaration of rules of rows', () => {
  const refused: [what: string, rows: object, message: RegExp][] = [
    [
      'a text that the field never has',
      ({ row }: Given) => at(row, 'state').is('done'),
      /state is never "done"/,
    ],
    ['a text for an id', ({ row }: Given) => at(row, 'team').is('red'), /team is never "red"/],
    ['one of the texts', ({ row }: Given) => at(row, 'state').in(['open', 'gone']), /state is never "gone"/],
    ['a field of another kind', ({ row }: Given) => at(row, 'size').is('1'), /size is integer/],
    [
      'a field that there is not',
      ({ row }: Given) => at(row, 'status').is('open'),
      /there is no field status/,
    ],
    [
      'rows that nobody could create',
      { read: open, create: open },
      /create needs update or keep: otherwise nobody may create a row/,
    ],
    ['an action that there is not', { read: open, finish: open }, /no operation and no action finish/],
  ]
  for (const [what, rows, message] of refused)
    it(`is refused for ${what}`, () => {
      assert.throws(() => task(rows).ruled.rules(), message)
    })

  it('is refused for a field without an index', () => {
    assert.throws(() => task(open, ['title']).ruled.rules(), /state has no index/)
  })

  it('is refused for rules that follow one another in a circle', () => {
    const [house, room, door] = circle()
    for (const each of [house, room, door])
      assert.throws(() => each.ruled.rules(), new RegExp(`${each.name}: .*like leads in a circle`))
    // What was refused once is refused again, for the same reason.
    assert.throws(() => house.ruled.rules(), /like leads in a circle/)
  })

  it('takes a rule for each action, and by default none', () => {
    const named = entity('task', {
      fields,
      sort: ['state'],
      actions: { start: { to: { state: 'open' } }, finish: { to: { state: 'closed' } } },
      access: {
        rows: { read: ({ row }) => row.state.is('open'), finish: ({ row, actor }) => row.owner.is(actor.id) },
      },
    })
    const rules = named.ruled.rules()
    assert.deepEqual(Object.keys(rules?.operations ?? {}), ['read'])
    assert.deepEqual(Object.keys(rules?.actions ?? {}), ['finish'])
  })

  it('takes texts that a field may have', () => {
    const rules = task({ read: open, create: open, keep: open }).ruled.rules()
    assert.deepEqual(Object.keys(rules?.operations ?? {}), ['read', 'create', 'keep'])
  })
})

/** Each refers to the next one, and the last one to the first. */
function circle() {
  const house = entity('house', {
    fields: { room: reference((): ReferencedEntity => room) },
    access: { rows: like('room') },
  })
  const room = entity('room', {
    fields: { door: reference((): ReferencedEntity => door) },
    access: { rows: like('door') },
  })
  const door = entity('door', { fields: { house: reference(house) }, access: { rows: like('house') } })
  return [house, room, door] as const
}

interface Compared {
  is(text: string): unknown
  in(texts: readonly string[]): unknown
}

interface Given {
  row: unknown
}

function at(row: unknown, field: string): Compared {
  return (row as Record<string, Compared>)[field] as Compared // every field is a member
}

function open({ row }: Given): unknown {
  return at(row, 'state').is('open')
}
