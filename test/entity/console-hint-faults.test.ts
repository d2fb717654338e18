/** What the start, and the compiler, refuse of `console` in definitions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ConsoleOptions, LabelOptions } from '../../src/entity/console/options.ts'
import { date, entity, file, money, oneOf, reference, text } from '../../src/index.ts'
import { requireHints } from '../../src/service/declared-hints.ts'

const owner = entity('owner', { fields: { name: text() } })

const boat = entity('boat', { fields: { name: text(), owner: reference(owner) } })

const ship = { name: text(), state: oneOf('afloat', 'sunk') }
type Hints = ConsoleOptions<typeof ship, { sink: object }>
type Labels = LabelOptions<typeof ship, { sink: object }>

/** Whether the compiler accepts them. The check of types fails where the test states otherwise. */
interface Accepted {
  title: { title: 'name' } extends Hints ? true : false
  misspeltTitle: { title: 'nam' } extends Hints ? true : false
  subtitle: { subtitle: '#{name}' } extends Hints ? true : false
  misspeltSubtitle: { subtitle: '#{nam}' } extends Hints ? true : false
  misspeltIcon: { icon: 'tiket' } extends Hints ? true : false
  misspeltColumn: { list: { columns: ['nam'] } } extends Hints ? true : false
  misspeltDensity: { list: { density: 'compct' } } extends Hints ? true : false
  pageSizeAsText: { list: { pageSize: '50' } } extends Hints ? true : false
  misspeltGroup: { list: { group: 'stat' } } extends Hints ? true : false
  group: { list: { group: 'state'; density: 'compact'; pageSize: 50 } } extends Hints ? true : false
  misspeltAction: { actions: { sink: { undo: 'snik' } } } extends Hints ? true : false
  misspeltWord: { words: { state: { snk: 'gesunken' } } } extends Labels ? true : false
}

describe('A faulty hint is refused', () => {
  const fields = {
    name: text(),
    story: text({ max: 5000 }).optional(),
    state: oneOf('open', 'closed').default('open'),
    price: money().default(0),
    owner: reference(owner),
    photo: file({ types: ['image/png'] }).optional(),
    dueOn: date().optional(),
  }
  const actions = { close: { to: { state: 'closed' } }, reopen: { to: { state: 'open' } } }
  /** As in a definition that no compiler has seen. */
  const define = (console: object) => () =>
    entity('ticket', { fields, actions, console } as unknown as Parameters<typeof entity>[1])

  const faults: [string, object, RegExp][] = [
    ['its icon', { icon: 'tiket' }, /ticket\.console\.icon: tiket is no icon; did you mean ticket\?/],
    [
      'the path of its icon',
      { icon: { path: 'M0 0"/><script>' } },
      /console\.icon: write the path of an SVG/,
    ],
    ['its tint', { tint: 'ambr' }, /console\.tint: ambr is no tint; did you mean amber\?/],
    ['the name of a hint', { secions: [] }, /console: secions is no hint; did you mean sections\?/],
    [
      'the name of a hint of lists',
      { list: { colums: [] } },
      /console\.list: colums is no hint; did you mean columns\?/,
    ],
    ['its title', { title: 'nam' }, /console\.title: nam is no field; did you mean name\?/],
    ['the kind of its title', { title: 'price' }, /console\.title: price is money/],
    ['its subtitle', { subtitle: '#{stat}' }, /console\.subtitle: stat is no field; did you mean state\?/],
    ['the braces of its subtitle', { subtitle: '{name' }, /console\.subtitle: write names of fields as/],
    ['a step from no reference', { subtitle: '{name.x}' }, /name refers to no entity/],
    ['its image', { image: 'owner' }, /console\.image: owner is no file/],
    [
      'a column',
      { list: { columns: ['statee'] } },
      /console\.list\.columns: statee is no field; did you mean state\?/,
    ],
    ['a sort', { list: { sort: '-prise' } }, /console\.list\.sort: prise is no field; did you mean price\?/],
    ...[0, 201, 2.5].map((pageSize): [string, object, RegExp] => [
      `a page of ${pageSize} rows`,
      { list: { pageSize } },
      /list\.pageSize: write a whole number from 1 to 200/,
    ]),
    ['a group', { list: { group: 'stat' } }, /list\.group: stat is no field; did you mean state\?/],
    ['a density', { list: { density: 'compct' } }, /compct is no density; did you mean compact\?/],
    [
      'a word in a filter',
      { list: { views: [{ name: 'Open', filter: { state: 'opn' } }] } },
      /views\.Open\.filter\.state: opn is no word of it; did you mean open\?/,
    ],
    [
      'an operator',
      { list: { views: [{ name: 'Due', filter: { 'dueOn[lq]': 'today' } }] } },
      /lq is no operator of date; did you mean lt\?$/,
    ],
    ['a day', { list: { views: [{ name: 'Due', filter: { dueOn: 'tomorow' } }] } }, /dueOn: is no date/],
    [
      'a board by no enum',
      { list: { views: [{ name: 'B', filter: {}, layout: 'board', group: 'name' }] } },
      /name is text, and has to be enum/,
    ],
    [
      'a board by nothing',
      { list: { views: [{ name: 'B', filter: {}, layout: 'board' }] } },
      /a board needs group/,
    ],
    [
      'a calendar by no day',
      { list: { views: [{ name: 'C', filter: {}, layout: 'calendar', group: 'state' }] } },
      /state is enum, and has to be date or timestamp/,
    ],
    [
      'a calendar by nothing',
      { list: { views: [{ name: 'C', filter: {}, layout: 'calendar' }] } },
      /a calendar needs group/,
    ],
    [
      'a field of a section',
      { sections: [{ title: 'A', fields: ['pric'] }] },
      /sections\.0\.fields: pric is no field; did you mean price\?/,
    ],
    [
      'a widget',
      { widgets: { story: 'markdwn' } },
      /widgets\.story: markdwn is no widget; did you mean markdown\?/,
    ],
    [
      'a widget of another kind',
      { widgets: { price: 'markdown' } },
      /markdown shows text, and the field is money/,
    ],
    ['a currency', { widgets: { price: { currency: 'EURO' } } }, /EURO is no currency; did you mean/],
    [
      'a word with a tone',
      { badges: { state: { opne: 'info' } } },
      /badges\.state: opne is no word of state; did you mean open\?/,
    ],
    ['a tone', { badges: { state: { open: 'inof' } } }, /inof is no tone; did you mean info\?/],
    ['a badge of no enum', { badges: { name: { open: 'info' } } }, /name is text, and has to be enum/],
    ['an action', { actions: { clse: {} } }, /console\.actions: clse is no action; did you mean close\?/],
    [
      'an inverse',
      { actions: { close: { undo: 'reopn' } } },
      /undo: reopn is no action; did you mean reopen\?/,
    ],
    ['a key', { actions: { close: { key: 'F1' } } }, /F1 is no key/],
    [
      'a key twice',
      { actions: { close: { key: 'x' }, reopen: { key: 'x' } } },
      /x is the key of close as well/,
    ],
    [
      'a figure',
      { home: { figure: 'sum(name)' } },
      /home\.figure: name is text, and has to be money or integer/,
    ],
    ['another figure', { home: { figure: 'cuont' } }, /cuont is no figure; did you mean count\?/],
    ['the field of a figure', { home: { figure: 'avg(titel)' } }, /home\.figure: titel is no field/],
    [
      'the condition of a figure',
      { home: { figure: 'count', if: { state: 'opne' } } },
      /did you mean open\?/,
    ],
    [
      'a member of a figure',
      { home: { figure: 'count', lable: 'Open' } },
      /lable is no hint; did you mean label\?/,
    ],
  ]
  for (const [what, console, reason] of faults)
    it(`with a fault in ${what}`, () => {
      assert.throws(define(console), reason)
    })

  it('at the start, where it names another entity', () => {
    const started = (console: object) => () => requireHints([owner, boat, define(console)()])
    assert.throws(
      started({ subtitle: '{owner.nme}' }),
      /ticket\.console\.subtitle: nme is no field of owner; did you mean name\?/,
    )
    assert.throws(
      started({ related: { ownrs: {} } }),
      /ticket\.console\.related\.ownrs: ownrs is no entity; did you mean owners\?/,
    )
    assert.throws(started({ related: { owners: {} } }), /no field of owner refers to ticket/)
    assert.doesNotThrow(started({ subtitle: '{owner.name}' }))
    const twice = entity('pair', { fields: { one: reference(owner), other: reference(owner) } })
    const relating = (hint: object) => () =>
      requireHints([
        twice,
        entity('owner', { fields: { name: text() }, console: { related: { pairs: hint } } }),
      ])
    assert.throws(relating({}), /one and other of pair refer to owner: name one with by/)
    assert.throws(
      relating({ by: 'othr' }),
      /othr is no field of pair that refers to owner; did you mean other\?/,
    )
    assert.throws(relating({ by: 'one', columns: ['on'] }), /on is no field of pair; did you mean one\?/)
    assert.doesNotThrow(relating({ by: 'one', columns: ['other', 'createdAt'] }))
  })

  it('by the compiler', () => {
    const accepted: Accepted = {
      title: true,
      misspeltTitle: false,
      subtitle: true,
      misspeltSubtitle: false,
      misspeltIcon: false,
      misspeltColumn: false,
      misspeltDensity: false,
      pageSizeAsText: false,
      misspeltGroup: false,
      group: true,
      misspeltAction: false,
      misspeltWord: false,
    }
    assert.equal(Object.values(accepted).filter(Boolean).length, 3)
  })
})
