/** Changes of rows of random entities, under conditions, repeated, and many at once. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import type { Answer, Client } from '../../support/client.ts'
import { assertError } from '../../support/error.ts'
import { runsOf } from '../../support/run/extent.ts'
import { type Definition, type Member, sizeOf } from './definition.ts'
import { kinds } from './kinds.ts'
import { ofEach } from './lists.ts'
import { anyRow, expectedRow, isGiven, type Row } from './rows.ts'
import { told, type World } from './world.ts'

const atOnce = runsOf(10, 50)

export function changeSuite(world: () => World): void {
  it('are made, changed and replaced as given, each under its conditions', () =>
    ofEach(world(), async (definition) => {
      const {
        owner: { user },
        stored,
        seed,
      } = world()
      const [second = {}, third = {}] = fc.sample(anyRow(definition, stored), { numRuns: 2, seed: seed + 2 })
      await apart(world(), definition, async (row, path, given) => {
        const tag = (answer: Answer) => answer.headers.get('etag') ?? ''
        const got = await user.get(path)
        assert.deepEqual(got.body, row)
        const cached = await user.get(path, { 'if-none-match': tag(got) })
        assert.deepEqual([cached.status, cached.text], [304, ''])

        // What no two rows have alike stays.
        const change = withUniqueOf(definition, {}, second)
        assertError(await user.patch(path, change, { 'if-match': '"v9"' }), 412)
        const changed = await user.patch(path, change, { 'if-match': tag(got) })
        assert.equal(changed.status, 200, told(definition, change, changed.text))
        assertRow(definition, changed.body, { ...row, ...wholeChange(definition, change) })
        assert.notEqual(tag(changed), tag(got))
        assertError(await user.put(path, third, { 'if-match': tag(got) }), 412)

        const input = withUniqueOf(definition, given, third)
        const replaced = await user.put(path, input, { 'if-match': tag(changed) })
        assert.equal(replaced.status, 200, told(definition, input, replaced.text))
        assertRow(definition, replaced.body, {
          ...row,
          ...withoutOwn(definition, expectedRow(definition, input)),
        })
        const touched = await user.post(`${path}/touch`, undefined, { 'if-match': '*' })
        assert.equal(touched.status, 200, touched.text)
        assertError(await user.delete(path, { 'if-match': tag(got) }), 412)
        assert.equal((await user.delete(path, { 'if-match': tag(touched) })).status, 204)
        assertError(await user.get(path), 404)
      })
    }))

  it('are refused with the name of the member that is missing or wrong', () =>
    ofEach(world(), async (definition, [row]) => {
      const { user } = world().owner
      const { path, members } = definition
      for (const { name, kind, presence } of members.filter(isGiven)) {
        const others = Object.fromEntries(Object.entries(row ?? {}).filter(([other]) => other !== name))
        if (presence === 'required')
          assertError(await user.post(path, others), 400, new RegExp(`^${name}: is required`))
        const wrong = kind === 'reference' || kind === 'many' ? 'x' : kinds[kind as keyof typeof kinds].wrong
        const answer = await user.patch(`${path}/${row?.['id']}`, { [name]: wrong })
        assert.equal(answer.status, 400, told(definition, name, wrong, answer.text))
        assertError(answer, 400, new RegExp(`^${name}\\b`))
      }
    }))

  it('are done once for an Idempotency-Key', () =>
    ofEach(world(), async (definition) => {
      const {
        owner: { user },
      } = world()
      await apart(world(), definition, async (row, path, input) => {
        const key = { 'idempotency-key': crypto.randomUUID() }
        const [once, again] = [
          await user.post(`${path}/touch`, undefined, key),
          await user.post(`${path}/touch`, undefined, key),
        ]
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        assert.deepEqual(again.body, once.body)
        assert.equal(once.headers.get('etag'), again.headers.get('etag'))
        assert.equal((await user.delete(path)).status, 204)
        const keyed = { 'idempotency-key': crypto.randomUUID() }
        const answers = await Promise.all([1, 2, 3].map(() => user.post(definition.path, input, keyed)))
        const [made] = answers
        assert.equal(made?.status, 201, told(definition, input))
        for (const answer of answers) assert.deepEqual(answer.body, made.body)
        assert.notEqual(made.body.id, row['id'])
        const other = definition.entity.schemas.input.properties
        if (Object.keys(other).length > 0)
          assert.equal((await user.post(definition.path, { ...input, more: 1 }, keyed)).status, 422)
        assert.equal((await user.delete(`${definition.path}/${made.body.id}`)).status, 204)
      })
    }))

  it('of one version are made once, however many want to', async () => {
    const {
      owner: { user },
      definitions,
    } = world()
    for (const definition of definitions.slice(0, 3)) {
      await apart(world(), definition, async (_row, path) => {
        const tag = (await user.get(path)).headers.get('etag') ?? ''
        const change = (index: number) =>
          index % 2 === 0
            ? user.patch(path, {}, { 'if-match': tag })
            : user.post(`${path}/touch`, undefined, { 'if-match': tag })
        const statuses = (
          await Promise.all(Array.from({ length: atOnce }, (_each, index) => change(index)))
        ).map(({ status }) => status)
        assert.deepEqual(
          statuses.toSorted(),
          [200, ...Array.from({ length: atOnce - 1 }, () => 412)],
          told(definition),
        )
        await user.delete(path)
      })
    }
  })

  it('are numbered without gaps, however many are made at once and refused', async () => {
    const { definitions, service } = world()
    const isFree = ({ kind, presence }: Member) => kind !== 'reference' || presence !== 'required'
    const numbered = definitions.find(
      ({ members }) => members.some(({ kind }) => kind === 'sequence') && members.every(isFree),
    )
    assert.ok(numbered)
    const sequence = numbered.members.find(({ kind }) => kind === 'sequence')?.name ?? ''
    const { user } = await service.newTenant()
    const inputs = fc.sample(anyRow(numbered, new Map()), { numRuns: atOnce, seed: world().seed })
    const answers = await Promise.all(
      inputs.map((input, index) => user.post(numbered.path, index % 5 === 0 ? {} : input)),
    )
    const numbers = answers.filter(({ status }) => status === 201).map(({ body }) => body[sequence] as number) // by its schema
    assert.ok(numbers.length > 0)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      numbers.map((_number, index) => index + 1),
    )
  })
}

/** Runs with a row that is made for it, and that is like no other. */
async function apart(
  { owner: { user }, stored, seed }: World,
  definition: Definition,
  check: (row: Row, path: string, input: Row) => Promise<void>,
): Promise<void> {
  const { row, input } = await madeOf(
    user,
    definition,
    fc.sample(anyRow(definition, stored), { numRuns: 60, seed: seed + 3 }),
  )
  await check(row, `${definition.path}/${row['id']}`, input)
}

/** The first that is not refused for a value that another row has. */
async function madeOf(
  user: Client,
  definition: Definition,
  inputs: readonly Row[],
): Promise<{ row: Row; input: Row }> {
  for (const input of inputs) {
    const { status, body, text } = await user.post(definition.path, input)
    if (status === 201) return { row: body, input }
    assert.match(text, /is taken by another/, told(definition, input))
  }
  throw new Error(`Every value is taken: ${told(definition)}`)
}

/** The other row, but for members that no two rows have alike. */
function withUniqueOf({ unique }: Definition, row: Row, other: Row): Row {
  const ofOther = Object.entries(other).filter(([name]) => !unique.includes(name))
  const ofRow = Object.entries(row).filter(([name]) => unique.includes(name))
  return Object.fromEntries([...ofOther, ...ofRow])
}

function wholeChange(definition: Definition, change: Row): Row {
  const whole = expectedRow(definition, { ...emptyLists(definition), ...change })
  return Object.fromEntries(Object.entries(whole).filter(([name]) => Object.hasOwn(change, name)))
}

function emptyLists({ members }: Definition): Row {
  return Object.fromEntries(members.filter(({ kind }) => kind === 'many').map(({ name }) => [name, []]))
}

/** Members that callers cannot set keep their values. */
function withoutOwn({ members }: Definition, row: Row): Row {
  const own = new Set(members.filter((member) => !isGiven(member)).map(({ name }) => name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name)))
}

function assertRow({ members }: Definition, actual: Row, expected: Row): void {
  const computed = members
    .filter(({ kind }) => kind === 'computed')
    .map(({ name }) => [name, sizeOf(actual, members)] as const)
  const { updatedAt } = actual
  assert.deepEqual(actual, { ...expected, updatedAt, ...Object.fromEntries(computed) })
}
