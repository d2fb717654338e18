/** What forms and records do with values, without a browser. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntityDescription, FieldDescription, Row, Values } from '../../assets/console/describe.ts'
import { meets } from '../../assets/console/entity/condition.ts'
import { mayBeEmpty } from '../../assets/console/entity/given-value.ts'
import { placeOfFault } from '../../assets/console/entity/json-fault.ts'
import { jsonMembers, jsonValue } from '../../assets/console/entity/json-members.ts'
import { sectionsOf } from '../../assets/console/entity/layout.ts'
import { afterKey } from '../../assets/console/entity/list-keys.ts'

const field = (name: string, members: Partial<FieldDescription> = {}): FieldDescription => ({
  name,
  kind: 'text',
  description: null,
  isNullable: false,
  isRequired: false,
  isReadOnly: false,
  relation: null,
  entity: null,
  fileTypes: [],
  schema: { maxLength: 100 },
  ...members,
})

const note = field('note', { schema: { maxLength: 2000 } })
const customer = field('customerId', { kind: 'reference', relation: 'customer', entity: 'customer' })

const entity = (members: Partial<EntityDescription>): EntityDescription => ({
  name: 'ticket',
  plural: 'tickets',
  label: 'ticket',
  labels: 'tickets',
  description: '',
  title: 'name',
  isSearched: true,
  sortedBy: [],
  fields: [note, field('name'), customer],
  operations: {},
  actions: [],
  isLive: false,
  subscriptions: [],
  ...members,
})

const shown = (each: EntityDescription, row: Values = {}) =>
  sectionsOf(each, row).map(({ title, fields, isSide }) => [title, fields.map(({ name }) => name), isSide])

describe('The sections of a row', () => {
  it('begin with the short fields', () => {
    assert.deepEqual(shown(entity({})), [[null, ['name', 'customerId', 'note'], false]])
  })

  it('are those of the definition, and leave out no field', () => {
    const sections = [{ title: 'Facts', side: true, fields: ['customer', 'gone'] }]
    assert.deepEqual(shown(entity({ console: { sections } })), [
      ['Facts', ['customerId'], true],
      [null, ['name', 'note'], false],
    ])
  })

  it('are shown for the rows that meet their condition, and never anywhere else', () => {
    const sections = [{ title: 'Notes', fields: ['note'], if: { name: 'Ada' }, folded: true }]
    const described = entity({ console: { sections } })
    assert.deepEqual(shown(described, { name: 'Ada' })[0], ['Notes', ['note'], false])
    assert.deepEqual(shown(described, { name: 'Eve' }), [[null, ['name', 'customerId'], false]])
    assert.equal(sectionsOf(described, { name: 'Ada' })[0]?.isFolded, true)
  })
})

describe('The condition of a badge', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const row: Row = {
    id: '1',
    status: 'open',
    dueOn: '2026-03-09',
    total: 9,
    createdAt: '2026-03-02T23:00:00.000Z',
  }
  const cases: [condition: Record<string, string>, holds: boolean][] = [
    [{}, true],
    [{ status: 'open', 'dueOn[lt]': 'today' }, true],
    [{ status: 'closed' }, false],
    [{ 'status[in]': 'closed,open' }, true],
    [{ 'dueOn[gte]': 'today' }, false],
    [{ 'createdAt[lt]': 'today-7' }, true],
    [{ 'createdAt[lt]': 'today-8' }, false],
    [{ 'total[gt]': '10' }, false],
    [{ 'total[lte]': '9' }, true],
    [{ 'paidOn[isNull]': 'true' }, true],
    [{ 'paidOn[lt]': 'today' }, false],
    [{ 'status[near]': 'open' }, false],
  ]
  for (const [condition, holds] of cases)
    it(`${JSON.stringify(condition)} ${holds ? 'holds' : 'does not hold'}`, () => {
      assert.equal(meets(row, condition, now), holds)
    })
})

describe('A list of texts', () => {
  const press = (key: string, index: number, altKey = false) =>
    afterKey({ key, altKey, ctrlKey: false, metaKey: false }, ['a', '', 'c'], index)

  it('gets a line, loses an empty one, and moves one, by the keyboard', () => {
    assert.deepEqual(press('Enter', 0), { lines: ['a', '', '', 'c'], focused: 1 })
    assert.deepEqual(press('Backspace', 1), { lines: ['a', 'c'], focused: 0 })
    assert.deepEqual(press('ArrowUp', 2, true), { lines: ['a', 'c', ''], focused: 1 })
    assert.deepEqual(press('ArrowDown', 0, true), { lines: ['', 'a', 'c'], focused: 1 })
  })

  it('leaves other keys to the input', () => {
    for (const answer of [
      press('Backspace', 0),
      press('ArrowUp', 2),
      press('ArrowUp', 0, true),
      press('x', 0),
    ])
      assert.equal(answer, null)
  })
})

describe('The place of a fault in JSON', () => {
  it('is none where there is none', () => {
    for (const words of ['', '  ', '{"a": [1]}', 'null']) assert.equal(placeOfFault(words), null, words)
  })

  it('is told by line and column, or by the end', () => {
    const cases: [words: string, line: number, column: number][] = [
      ['{\n  "a": x\n}', 2, 8],
      ['{"a": 1', 1, 8],
      ['[1,]', 1, 4],
      ['{"a" 1}', 1, 6],
      ['{a: 1}', 1, 2],
      ['[1 2]', 1, 4],
      ['{"a": "b\n"}', 1, 7],
      ['[01]', 1, 3],
      ['{]', 1, 2],
      ['1 1', 1, 3],
      ['{"a": True}', 1, 7],
      ['[1E5, "\\u00FF", NULL]', 1, 17],
    ]
    for (const [words, line, column] of cases) assert.deepEqual(placeOfFault(words), { line, column }, words)
  })
})

describe('The form of a JSON value', () => {
  const words = { type: 'string' }
  const properties = { name: words, way: { type: 'string', enum: ['mail', 'phone'] }, note: words }
  const contact = field('contact', {
    kind: 'json',
    isNullable: true,
    schema: { type: 'object', properties, required: ['name'] },
  })
  const withSchema = (changes: FieldDescription['schema']) =>
    jsonMembers({ ...contact, schema: { ...contact.schema, ...changes } }, null)
  const members = jsonMembers(contact, null) ?? []

  it('lets every member be emptied that may be absent', () => {
    const nullable = members.map(({ name, isNullable }) => [name, isNullable])
    assert.deepEqual(nullable, [
      ['name', false],
      ['way', true],
      ['note', true],
    ])
  })

  it('is text where a choice has other values than texts, and where members have no name', () => {
    assert.notEqual(withSchema({ additionalProperties: false }), null)
    assert.notEqual(withSchema({ properties: { ...properties, way: { enum: ['mail', null] } } }), null)
    assert.equal(withSchema({ properties: { ...properties, way: { enum: [1, 2] } } }), null)
    assert.equal(withSchema({ additionalProperties: true }), null)
    assert.equal(withSchema({ additionalProperties: words }), null)
    assert.equal(withSchema({ patternProperties: { '^x-': words } }), null)
  })

  it('drops the member that was emptied, and leaves the others as they are', () => {
    const was = { name: 'Ada', way: 'mail', note: '', old: 1 }
    assert.deepEqual(jsonValue(contact, members, was, { ...was, way: null }), {
      name: 'Ada',
      note: '',
      old: 1,
    })
    assert.deepEqual(jsonValue(contact, members, { note: null }, { note: null, name: 'Ada' }), {
      name: 'Ada',
      note: null,
    })
    assert.equal(jsonValue(contact, members, { way: 'mail' }, { way: null }), null)
  })

  it('knows a member that is called as one of every object', () => {
    const [member = field('')] = withSchema({ properties: { constructor: words } }) ?? []
    assert.equal(jsonValue(contact, [member], {}, {}), null)
    const typed = { constructor: 'Ford' } as unknown as Values
    assert.deepEqual(jsonValue(contact, [member], {}, typed), typed)
  })
})

describe('A field is marked as optional', () => {
  it('where it can have no value', () => {
    assert.equal(mayBeEmpty(field('note')), true)
    assert.equal(mayBeEmpty(field('state', { kind: 'enum', isNullable: true })), true)
    assert.equal(mayBeEmpty(field('days', { kind: 'integer', isNullable: true, defaultValue: 3 })), true)
    assert.equal(mayBeEmpty(field('state', { kind: 'enum' })), false)
    assert.equal(mayBeEmpty(field('days', { kind: 'integer', defaultValue: 0 })), false)
    assert.equal(mayBeEmpty(field('isActive', { kind: 'boolean' })), false)
    assert.equal(mayBeEmpty(field('name', { isRequired: true })), false)
  })
})
