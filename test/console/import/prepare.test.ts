/** What a file would create, by the kinds of the fields, and what is refused of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toCsv, writeLines } from '../../../assets/console/entity/csv.ts'
import { prepareCsv, prepareJson } from '../../../assets/console/entity/import/prepare.ts'
import { readCsv } from '../../../assets/console/entity/import/read-csv.ts'
import { refusedLines } from '../../../assets/console/entity/import/refused-lines.ts'
import { describedEntity, describedField } from '../described.ts'

const entity = describedEntity('guest', [
  describedField('number', { kind: 'sequence', isReadOnly: true }),
  describedField('name'),
  describedField('note', { isNullable: true }),
  describedField('age', { kind: 'integer' }),
  describedField('fee', { kind: 'money', isNullable: true }),
  describedField('vip', { kind: 'boolean' }),
  describedField('born', { kind: 'date', isNullable: true }),
  describedField('seen', { kind: 'timestamp', isNullable: true }),
  describedField('meal', { kind: 'enum', isNullable: true, schema: { enum: ['meat', 'fish', null] } }),
  describedField('tags', { kind: 'json', isNullable: true }),
  describedField('stays', {
    kind: 'many',
    fields: [describedField('room'), describedField('total', { kind: 'money', isReadOnly: true })],
  }),
])

const prepare = (content: string) => prepareCsv(entity, readCsv(content, ','))
const valuesOf = (content: string) => prepare(content).rows.map(({ values }) => values)

/** Of one cell in a column. */
function read(name: string, cell: string): unknown {
  const { rows, refused } = prepare(
    writeLines(
      [
        ['name', name],
        ['x', cell],
      ],
      ',',
    ),
  )
  const [fault] = refused.map((each) => each.fault)
  return fault === undefined ? rows[0]?.values[name] : fault.kind === 'cell' && fault.fault
}

describe('The cells of a file', () => {
  const cases: Record<string, [cell: string, result: unknown][]> = {
    age: [
      ['12', 12],
      [' -3 ', -3],
      ['0x10', 'noInteger'],
      ['1e3', 'noInteger'],
      ['1.0', 'noInteger'],
      ['twelve', 'noInteger'],
      ['9007199254740993', 'noInteger'],
      ['', undefined],
    ],
    fee: [
      ['19.99', 19.99],
      ['-1', -1],
      ['0x10', 'noNumber'],
      ['1,5', 'noNumber'],
      ['1 000', 'noNumber'],
      ['1e3', 'noNumber'],
      ['Infinity', 'noNumber'],
      ['0.1000000000000000000000001', 'noNumber'],
      ['', null],
    ],
    vip: [
      ['true', true],
      ['Yes', true],
      ['1', true],
      ['FALSE', false],
      ['no', false],
      ['0', false],
      ['perhaps', 'noBoolean'],
      ['', undefined],
    ],
    born: [
      ['2024-02-29', '2024-02-29'],
      ['2023-02-29', 'noDate'],
      ['29/02/2024', 'noDate'],
    ],
    seen: [
      ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
      ['2026-01-31T10:30:00+01:00', '2026-01-31T10:30:00+01:00'],
      ['2026-01-31 09:30', 'noMoment'],
      ['2026-01-31T25:30:00Z', 'noMoment'],
    ],
    meal: [
      ['fish', 'fish'],
      ['Fish', 'noChoice'],
      ['', null],
    ],
    tags: [
      ['["a"]', ['a']],
      ['{"a": 1}', { a: 1 }],
      ['a, b', 'noJson'],
    ],
    stays: [
      ['[{"room": "1", "total": 5}]', [{ room: '1' }]],
      ['{"room": "1"}', 'noList'],
      ['[', 'noJson'],
    ],
    note: [
      ["'=1+1", '=1+1'],
      ["''=1+1", "'=1+1"],
      ["'tis", "'tis"],
      ['5" pipe', '5" pipe'],
      ["'", ''],
      ['', null],
    ],
  }
  for (const [name, cells] of Object.entries(cases))
    it(`are read by the kind of their field: ${name}`, () => {
      for (const [cell, result] of cells) assert.deepEqual(read(name, cell), result, cell)
    })
})

describe('A file', () => {
  it('creates its lines that can be read, and names the others with their lines and reasons', () => {
    const { rows, refused } = prepare(
      'name,vip,tags\na,true,[1]\nb,perhaps,\n"c\nd",no,[1\ne,no,[],x\nh,0,[]\n"f"g,no,\n',
    )
    assert.deepEqual(
      rows.map(({ line, values }) => [line, values]),
      [
        [2, { name: 'a', vip: true, tags: [1] }],
        [7, { name: 'h', vip: false, tags: [] }],
      ],
    )
    assert.deepEqual(
      refused.map(({ line, fault }) => [line, fault]),
      [
        [3, { kind: 'cell', column: 'vip', cell: 'perhaps', fault: 'noBoolean' }],
        [4, { kind: 'cell', column: 'tags', cell: '[1', fault: 'noJson' }],
        [6, { kind: 'cells', count: 4, expected: 3 }],
        [8, { kind: 'quotes' }],
      ],
    )
  })

  it('names the columns that are left out, and is refused for a column that it has twice', () => {
    const { unknown, readOnly, rows } = prepare('id,name,number,colour,,createdAt\n1,a,2,red,,\n')
    assert.deepEqual(
      [unknown, readOnly],
      [
        ['colour', '#5'],
        ['id', 'number', 'createdAt'],
      ],
    )
    assert.deepEqual(rows[0]?.values, { name: 'a' })
    const twice = prepare('name,age,name\na,1,b\n')
    assert.deepEqual([twice.repeated, twice.rows, twice.refused], [['name'], [], []])
  })

  it('without a column that is a member creates nothing, instead of empty rows', () => {
    assert.deepEqual(prepare('name;age\na;1\n').rows, [])
    assert.deepEqual(prepare('id,number\n1,2\n').rows, [])
    assert.deepEqual(prepareJson(entity, [{ colour: 'red' }, {}]).rows, [])
    assert.deepEqual(prepare('').rows, [])
  })

  it('may leave out the last cells of a line, as spreadsheets do', () => {
    assert.deepEqual(valuesOf('name,age,note\na\n'), [{ name: 'a', note: null }])
  })

  it('of JSON has its values as they are, without what the service sets', () => {
    const stays = [{ room: '1', total: 5 }]
    const prepared = prepareJson(entity, [{ id: '1', name: 'a', vip: 'perhaps', colour: 'red', stays }, 7])
    assert.deepEqual([prepared.unknown, prepared.readOnly], [['colour'], ['id']])
    assert.deepEqual(prepared.rows[0]?.values, { name: 'a', vip: 'perhaps', stays: [{ room: '1' }] })
    assert.deepEqual(
      prepared.refused.map(({ line, fault }) => [line, fault.kind]),
      [[2, 'object']],
    )
  })

  it('that was exported is read as it was', () => {
    const characters = fc.constantFrom('a', 'é', ',', ';', '\t', '"', "'", '=', '-', '\n', '\r', ' ', '1')
    const text = fc.string({ unit: characters })
    const members = {
      name: text,
      note: fc.option(text),
      age: fc.maxSafeInteger(),
      fee: fc.option(fc.integer({ min: -1e9, max: 1e9 }).map((amount) => amount / 10_000)),
      vip: fc.boolean(),
      born: fc.option(fc.constant('2024-02-29')),
      seen: fc.option(fc.constant('2026-01-31T09:30:00.000Z')),
      meal: fc.option(fc.constantFrom('meat', 'fish')),
      tags: fc.option(fc.array(text)),
      stays: fc.array(text.map((room) => ({ room }))),
    }
    const rowOf = fc.record(members, { noNullPrototype: true })
    const names = ['id', ...entity.fields.map(({ name }) => name), 'createdAt']
    fc.assert(
      fc.property(fc.array(rowOf), (rows) => {
        const stored = rows.map((row, index) => ({ ...row, id: `${index}`, number: index, createdAt: 'now' }))
        assert.deepEqual(valuesOf(toCsv(names, stored)), rows)
      }),
    )
  })
})

describe('The lines that were refused', () => {
  it('are as they came, with a column that says why, and are read again when they are corrected', () => {
    const { columns, refused } = prepare('name,vip,refusedBecause\n"a,b",perhaps,\n=1,2,,x\n')
    const reasons = refused.map((each) => ({ ...each, reason: '=why' }))
    assert.deepEqual(refusedLines(columns, reasons), [
      ['name', 'vip', '', 'refusedBecause'],
      ['a,b', 'perhaps', '', "'=why"],
      ['=1', '2', 'x', "'=why"],
    ])
  })
})
