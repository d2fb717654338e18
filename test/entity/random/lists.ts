/** Lists of random entities over REST have what the oracle finds. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import type { Answer, Client } from '../../support/client.ts'
import { walkPages } from '../../support/pages.ts'
import { triesAll } from '../../support/run/extent.ts'
import type { Definition } from './definition.ts'
import {
  type Column,
  type Condition,
  columnsOf,
  comparing,
  conditionOn,
  type SortKey,
  sortText,
} from './oracle.ts'
import { anyRow, type Row } from './rows.ts'
import { told, type World } from './world.ts'

/** @param requests with several conditions and keys, for each entity */
export function listSuite(world: () => World, requests: number): void {
  it('offer every operator of every member, and each finds what it should', () => {
    /** Of another member of the same kind. */
    const tried = new Set<string>()
    return ofEach(world(), async (definition, rows) => {
      const { owner, seed } = world()
      const columns = columnsOf(definition, rows)
      const every = columns.flatMap((column) =>
        operatorsOf(column).map((operator) =>
          fc.sample(anyOperands(column, operator), { numRuns: 1, seed }).map((operands) => ({
            condition: conditionOn(definition, column, operator, operands),
            use: `${kindOf(definition, column)} ${column.isNullable} ${operator}`,
          })),
        ),
      )
      const uses = every.flat()
      assert.deepEqual(offered(definition), uses.map(({ condition }) => condition.parameter).toSorted())
      for (const { condition, use } of uses) {
        if (tried.has(use) && !triesAll) continue
        tried.add(use)
        const query = new URLSearchParams([
          [condition.parameter, condition.value],
          ['limit', '200'],
        ])
        const { body, text } = await owner.user.get(`${definition.path}?${query}`)
        assert.deepEqual(body, rows.filter(condition.matches), told(definition, `${query}`, text))
      }
    })
  })

  it('have the rows that all conditions allow, in the order of all keys, page by page', () =>
    ofEach(world(), (definition, rows) => {
      const { owner, stored, seed } = world()
      const property = fc.asyncProperty(anyRequest(definition, rows), async (request) => {
        const { sort, fields } = request
        const query = queryOf(request)
        const expected = matching(request, rows)
          .toSorted(comparing(sort, stored))
          .map((row) => (fields.length === 0 ? row : chosen(row, fields)))
        const pages = await walkPages(owner.user, `${definition.path}?${query}`)
        assert.deepEqual(rowsIn(pages), expected, told(definition, `${query}`))
        for (const { headers } of pages) assert.equal(headers.get('x-total-count'), `${expected.length}`)
      })
      return fc.assert(property, { numRuns: requests, seed })
    }))

  it('have every row once that is there all the time, while others come and go', () =>
    ofEach(world(), async (definition, rows) => {
      const {
        owner: { user },
        stored,
        seed,
      } = world()
      const [sort = []] = fc.sample(anySort(definition, columnsOf(definition, rows)), { numRuns: 1, seed })
      const inputs = fc.sample(anyRow(definition, stored), { numRuns: 40, seed: seed + 1 })
      const passing: string[] = []
      const query = new URLSearchParams({
        limit: '4',
        ...(sort.length > 0 && { sort: sort.map(sortText).join() }),
      })
      const pages = await walkPages(user, `${definition.path}?${query}`, () =>
        changeOthers(user, definition, { passing, inputs }),
      )
      const ids = rowsIn(pages).map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, told(definition, `${query}`))
      const known = new Set(rows.map(({ id }) => id))
      const expected = rows.toSorted(comparing(sort, stored)).map(({ id }) => id)
      assert.deepEqual(
        ids.filter((id) => known.has(id)),
        expected,
        told(definition, `${query}`),
      )
      for (const id of passing) assert.equal((await user.delete(`${definition.path}/${id}`)).status, 204)
    }))
}

/** Members that every row has are kinds of their own. */
function kindOf({ members }: Definition, { name }: Column): string {
  return members.find((member) => member.name === name)?.kind ?? name
}

/** Deletes a row that was made here, and makes others. */
async function changeOthers(
  user: Client,
  { path }: Definition,
  { passing, inputs }: { passing: string[]; inputs: Row[] },
): Promise<void> {
  const first = passing.length > 2 ? passing.shift() : undefined
  if (first !== undefined) await user.delete(`${path}/${first}`)
  for (let count = 0; count < 2; count++) {
    const { status, body } = await user.post(path, inputs.pop() ?? {})
    if (status === 201) passing.push(body.id) // another row may have its unique value
  }
}

/** So many that the requests of all do not wait for a connection until they are refused. */
const sideBySide = 6

/** A few entities at a time. */
export async function ofEach(
  { definitions, stored }: World,
  check: (definition: Definition, rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const left = [...definitions]
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await check(next, stored.get(next.path) ?? [])
  }
  await Promise.all(Array.from({ length: sideBySide }, work))
}

/** The parameters that are filters. */
function offered({ entity, searched }: Definition): string[] {
  const list = entity.routes.find(({ method, path }) => method === 'GET' && !path.includes(':'))
  const { properties = {} } = (list?.query ?? {}) as { properties?: object } // an object schema
  const others = new Set([
    'limit',
    'cursor',
    'sort',
    'fields',
    'count',
    ...(searched.length > 0 ? ['search'] : []),
  ])
  return Object.keys(properties)
    .filter((name) => !others.has(name))
    .toSorted()
}

function operatorsOf({ operators, isNullable }: Column): string[] {
  return isNullable ? [...operators, 'isNull'] : [...operators]
}

function anyOperands({ values }: Column, operator: string): Arbitrary<unknown[]> {
  if (operator === 'isNull') return fc.constantFrom([true], [false])
  // Values are separated by commas.
  const fit = values.filter((value) => value !== null && !String(value).includes(','))
  const operand = fit.length === 0 ? fc.uuid() : fc.constantFrom(...fit)
  return fc.array(operand, { minLength: 1, maxLength: 3 })
}

export function anyRequest(definition: Definition, rows: readonly Row[]) {
  const columns = columnsOf(definition, rows)
  const anyCondition: Arbitrary<Condition> = fc
    .constantFrom(...columns)
    .chain((column) =>
      fc.record({ column: fc.constant(column), operator: fc.constantFrom(...operatorsOf(column)) }),
    )
    .chain(({ column, operator }) =>
      anyOperands(column, operator).map((operands) => conditionOn(definition, column, operator, operands)),
    )
  return fc.record({
    conditions: fc.array(anyCondition, { maxLength: 3 }),
    sort: anySort(definition, columns),
    limit: fc.integer({ min: 3, max: 30 }),
    fields: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      fc.uniqueArray(fc.constantFrom(...Object.keys(rows[0] ?? {}))),
    ),
  })
}

export interface ListRequest {
  conditions: readonly Condition[]
  sort: readonly SortKey[]
  limit: number
  fields: readonly string[]
}

/** The rows that all conditions of the request allow. */
export function matching({ conditions }: ListRequest, rows: readonly Row[]): Row[] {
  const kept = new Map(conditions.map((each) => [each.parameter, each])) // a parameter comes once
  return rows.filter((row) => [...kept.values()].every(({ matches }) => matches(row)))
}

export function queryOf({ conditions, sort, limit, fields }: ListRequest): URLSearchParams {
  const query = new URLSearchParams({ limit: `${limit}`, count: 'true' })
  for (const { parameter, value } of conditions) query.set(parameter, value)
  if (sort.length > 0) query.set('sort', sort.map(sortText).join())
  if (fields.length > 0) query.set('fields', fields.join())
  return query
}

function anySort({ members }: Definition, columns: readonly Column[]): Arbitrary<SortKey[]> {
  const sortable = (some: readonly Column[]) => some.filter(({ isLong }) => isLong !== true)
  const own = sortable(columns).map(({ name }) => ({ reference: null, name }))
  const related = members.flatMap(({ name: member, field, kind, target }) => {
    if (kind !== 'reference' || target === null) return []
    const reference = { field, member, path: target.path }
    return sortable(columnsOf(target, [])).map(({ name }) => ({ reference, name }))
  })
  const key = fc.record({ of: fc.constantFrom(...own, ...related), descending: fc.boolean() })
  return fc.array(
    key.map(({ of, descending }) => ({ ...of, descending })),
    { maxLength: 3 },
  )
}

function rowsIn(pages: readonly Answer[]): Row[] {
  return pages.flatMap(({ body }) => body)
}

function chosen(row: Row, fields: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))
}
