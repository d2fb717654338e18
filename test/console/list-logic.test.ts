/** What a list computes without a browser: moves of keys, widths, groups, days, views, times in words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstDayOf, monthAfter, weeksOf } from '../../assets/console/component/calendar-days.ts'
import { idsBetween } from '../../assets/console/component/selection.ts'
import { type FieldDescription, titleOf } from '../../assets/console/describe.ts'
import { movedCell } from '../../assets/console/entity/grid-moves.ts'
import { groupedSort, groupsOf } from '../../assets/console/entity/group.ts'
import { arranged, withinDays } from '../../assets/console/entity/list-layout.ts'
import { contentOf, isChanged, type StoredView, viewOf } from '../../assets/console/entity/views.ts'
import { clampWidth, fittingColumns, widthsIn } from '../../assets/console/entity/widths.ts'
import { relativeDay, relativeTime } from '../../assets/console/relative-time.ts'
import { describedEntity, describedField } from './described.ts'

describe('The keys of a table', () => {
  const extent = { rows: 51, columns: 6, visibleRows: 10 }
  const moved = (key: string, isControl = false) => movedCell({ row: 5, column: 2 }, key, isControl, extent)

  it('move by a cell, a row, a screen, or to an end', () => {
    assert.deepEqual(moved('ArrowDown'), { row: 6, column: 2 })
    assert.deepEqual(moved('ArrowLeft'), { row: 5, column: 1 })
    assert.deepEqual(moved('Home'), { row: 5, column: 0 })
    assert.deepEqual(moved('End', true), { row: 50, column: 5 })
    assert.deepEqual(moved('PageDown'), { row: 15, column: 2 })
    assert.deepEqual(moved('PageUp'), { row: 1, column: 2 })
    assert.equal(moved('x'), null)
  })

  it('stay within the table', () => {
    assert.deepEqual(movedCell({ row: 0, column: 0 }, 'ArrowUp', false, extent), { row: 0, column: 0 })
    assert.deepEqual(movedCell({ row: 50, column: 5 }, 'PageDown', false, extent), { row: 50, column: 5 })
  })
})

describe('A table', () => {
  it('shows as many columns as fit, and at least the first', () => {
    assert.equal(fittingColumns([300, 100, 100], 450), 2)
    assert.equal(fittingColumns([300, 100, 100], 500), 3)
    assert.equal(fittingColumns([300], 100), 1)
  })

  it('takes widths within their bounds, and of what is stored numbers alone', () => {
    assert.deepEqual([clampWidth(10), clampWidth(200.4), clampWidth(9999)], [72, 200, 640])
    assert.deepEqual(widthsIn({ name: 200, price: 'wide' }), { name: 200 })
    assert.deepEqual(widthsIn(null), {})
  })

  it('chooses rows from one to another, whichever is first', () => {
    const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
    assert.deepEqual(idsBetween(rows, 'c', 'b'), ['b', 'c'])
    assert.deepEqual(idsBetween(rows, 'gone', 'b'), ['b'])
  })

  it('has the rows of a group together under its value', () => {
    const status = { name: 'status', kind: 'enum' } as FieldDescription // what the groups need of it
    const rows = [
      { id: '1', status: 'open' },
      { id: '2', status: null },
      { id: '3', status: 'open' },
    ]
    assert.deepEqual(
      groupsOf(rows, status).map((line) => ('id' in line ? line.id : [line.value, line.count])),
      [['open', 2], '1', '3', [null, 1], '2'],
    )
    assert.equal(groupedSort('-createdAt,status', status), 'status,-createdAt')
    assert.equal(groupedSort('-createdAt,-status', status), '-status,-createdAt')
    assert.equal(groupedSort(undefined, status), 'status')
  })
})

describe('The request for a layout', () => {
  const status = describedField('status', { kind: 'enum' })

  it('has the rows of a table in groups, and those of a board as the list is sorted', () => {
    const request = { sort: 'name', search: 'a' }
    const ofTable = arranged({ name: 'table', field: status }, request)
    assert.deepEqual(ofTable, { sort: 'status,name', search: 'a' })
    assert.deepEqual(arranged({ name: 'table', field: null }, request), request)
    assert.deepEqual(arranged({ name: 'board', field: status }, request), request)
  })

  it('has the days of a calendar, within a filter of the list for their field', () => {
    const days = ['2026-02-01', '2026-02-28'] as const
    const asked = (request: Record<string, string>) => {
      const { 'on[gte]': from, 'on[lte]': to, ...others } = withinDays(request, 'on', days)
      return [from, to, others]
    }
    assert.deepEqual(asked({ search: 'a' }), [...days, { search: 'a' }])
    assert.deepEqual(asked({ 'on[gte]': '2026-02-10' }), ['2026-02-10', '2026-02-28', {}])
    assert.deepEqual(asked({ 'on[gte]': '2025-02-10', 'on[lte]': '2026-02-11' }), [
      '2026-02-01',
      '2026-02-11',
      {},
    ])
  })
})

describe('A calendar', () => {
  it('has whole weeks, which begin as the language says', () => {
    const weeks = weeksOf('2026-02', 1)
    assert.deepEqual([weeks.length, weeks[0]?.[0], weeks.at(-1)?.[6]], [5, '2026-01-26', '2026-03-01'])
    assert.deepEqual(weeksOf('2026-02', 7)[0]?.[0], '2026-02-01')
    assert.equal(weeksOf('2026-02', 7).length, 4)
    assert.equal(firstDayOf('fr'), 1)
    assert.deepEqual([monthAfter('2026-01', -1), monthAfter('2026-12', 1)], ['2025-12', '2027-01'])
  })
})

describe('The title of a row', () => {
  it('that is a number has the name of the entity before it, as it is written', () => {
    const entity = describedEntity('vCard', [describedField('number', { kind: 'sequence' })])
    assert.equal(titleOf({ ...entity, title: 'number' }, { id: 'x', number: 3 }), 'VCard 3')
  })
})

describe('A view', () => {
  const stored: StoredView = {
    id: 'v',
    name: 'Open',
    query: { status: 'open', sort: '-name' },
    columns: [{ name: 'name', width: 240 }, { name: 'price' }],
    group: 'status',
    layout: 'table',
    density: 'compact',
    sharedWith: 'nobody',
    isDefaultFor: [],
    isOwn: true,
    isChangeable: true,
  }

  it('is an address, and back', () => {
    const view = viewOf(stored)
    const query = new URLSearchParams({ ...view.parameters, view: view.key, peek: 'p', cursor: 'c' })
    const { columns, group, layout, density, query: kept } = contentOf(query, { name: 240, other: 1 })
    assert.deepEqual(
      { columns, group, layout, density, query: kept },
      {
        columns: stored.columns,
        group: stored.group,
        layout: stored.layout,
        density: stored.density,
        query: stored.query,
      },
    )
    assert.equal(isChanged(view, query), false)
    query.delete('status')
    assert.equal(isChanged(view, query), true)
  })
})

describe('Times in words', () => {
  const now = new Date(2026, 10, 27, 12)
  const before = (ms: number) => relativeTime(new Date(now.getTime() - ms), now, 'en')

  it('are relative for a week, and then the day', () => {
    assert.equal(before(20_000), 'now')
    assert.equal(before(12 * 60_000), '12 min. ago')
    assert.equal(before(3 * 3_600_000), '3 hr. ago')
    assert.equal(before(26 * 3_600_000), 'yesterday')
    assert.equal(before(8 * 86_400_000), 'Nov 19')
    assert.equal(before(400 * 86_400_000), 'Oct 23, 2025')
    assert.equal(relativeDay('2026-11-28', now, 'en'), 'Tomorrow')
    assert.equal(relativeDay('2026-12-08', now, 'en'), 'Dec 8')
  })

  it('count the days of the calendar, not spans of 24 hours', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour)
    const said = (moment: Date, from: Date) => relativeTime(moment, from, 'en')
    assert.equal(said(at(23, 9), at(25, 8)), '2 days ago')
    assert.equal(said(at(24, 7), at(25, 8)), 'yesterday')
    assert.equal(said(at(27, 20), at(25, 8)), 'in 2 days')
  })

  it('have the year of a day in any zone', () => {
    const zone = process.env['TZ']
    try {
      for (const each of ['America/New_York', 'Pacific/Kiritimati']) {
        process.env['TZ'] = each
        assert.equal(relativeDay('2027-01-01', new Date('2026-06-10T12:00:00Z'), 'en'), 'Jan 1, 2027', each)
        assert.equal(relativeDay('2026-01-01', new Date('2026-06-10T12:00:00Z'), 'en'), 'Jan 1', each)
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})
