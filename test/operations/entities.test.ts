/** Rows of entities go along when their tenant is moved, exported and imported, and are gone when it is erased. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { openOperator } from '../../src/cli/with-operator.ts'
import type { Context } from '../../src/core/context.ts'
import {
  boolean,
  date,
  entity,
  integer,
  json,
  listOf,
  many,
  money,
  multiply,
  oneOf,
  type ReferencedEntity,
  reference,
  sequence,
  sumOf,
  text,
  timestamp,
} from '../../src/index.ts'
import { eraseTenant } from '../../src/operations/erase/erase.ts'
import { moveTenant } from '../../src/operations/move/move.ts'
import { migrated } from '../entity/migrated.ts'
import type { Client } from '../support/client.ts'
import type { DatabaseName } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { triesAll } from '../support/run/extent.ts'
import { type TestService, type TestTenant, uniqueName, usualOptions } from '../support/service.ts'
import { ArchiveScene } from './archive/installations.ts'
import { countsOf, filesWith, rowsNaming } from './erase/erasing.ts'
import { hastened } from './served.ts'

const author = entity('author', {
  fields: { name: text({ ignoreCase: true }), teacher: reference((): ReferencedEntity => author).optional() },
  unique: [['name']],
})

/** Has a field of each kind. */
const volume = entity('volume', {
  fields: {
    number: sequence(),
    title: text(),
    pages: integer({ min: -5 }),
    price: money(),
    isBound: boolean(),
    soldOn: date(),
    readAt: timestamp(),
    state: oneOf('new', 'old').default('new'),
    author: reference(author),
    words: listOf(text()),
    shape: json(Type.Object({ note: Type.String({ maxLength: 100 }) })).optional(),
    chapters: many({
      title: text(),
      price: money(),
      by: reference(author).optional(),
      words: listOf(text(), 3),
    }),
    total: money().computed(),
  },
  search: ['title'],
  compute: { total: ({ chapters }) => sumOf(chapters.map(({ price }) => multiply(price, 2))) },
})

const features = migrated([author, volume])
const options = { ...hastened, features }
const tables = ['author', 'volume', 'volume_chapter', 'sequence']

describe('Rows of entities', { concurrency: 2 }, () => {
  // On the way their rows are converted for a file, and for PostgreSQL again.
  carries({ from: 'postgres', to: 'postgres' })
  if (!triesAll) return
  carries({ from: 'sqlite', to: 'postgres' })
  carries({ from: 'postgres', to: 'sqlite' })
})

function carries({ from, to }: Record<'from' | 'to', DatabaseName>): void {
  it(`go along from ${from} to a file of their own, in an archive, and to ${to}`, async () => {
    await using scene = new ArchiveScene()
    const source = await scene.installation(from, null, options)
    const target = await scene.installation(to, source, options)
    const [tenant, other] = [await source.newTenant(), await source.newTenant()]
    const canary = uniqueName('canary')
    await fill(tenant, canary)
    await fill(other, 'Other')
    const [seen, ofOther] = [await whatIsSeenBy(tenant.user), await whatIsSeenBy(other.user)]
    const { databaseUrl } = source.config
    const counted = await countsOf(databaseUrl, tenant.id)
    for (const table of tables) assert.ok((counted[table] ?? 0) > 0, table)

    await operate(source, (context) => moveTenant(context, tenant.id, 'sqlite:own.db', { removeAfterMs: 0 }))
    await eventually('the move', soonMs, async () => (await databaseOf(source, tenant)) === 'sqlite')
    assert.deepEqual(await whatIsSeenBy(tenant.user), seen)
    const left = await countsOf(databaseUrl, tenant.id)
    for (const table of tables) assert.equal(left[table], 0, table)

    const archive = await scene.export(source, tenant.id)
    await scene.import(target, archive)
    const arrived = await target.signIn('worker', tenant.id)
    assert.deepEqual(await whatIsSeenBy(arrived.client), seen)
    await goesOn(arrived.client, canary)

    await source.host.delete(`/api/tenants/${tenant.id}`)
    await operate(source, (context) => eraseTenant(context, tenant.id))
    for (const count of Object.values(await countsOf(databaseUrl, tenant.id))) assert.equal(count, 0)
    assert.deepEqual(await rowsNaming(databaseUrl, [canary]), [])
    assert.deepEqual(filesWith(source.dataDir, canary), [])
    await target.host.delete(`/api/tenants/${tenant.id}`)
    await operate(target, (context) => eraseTenant(context, tenant.id))
    assert.deepEqual(await rowsNaming(target.config.databaseUrl, [canary]), [])
    assert.deepEqual(await whatIsSeenBy(other.user), ofOther)
  })
}

/** As a command does, beside the service. */
async function operate({ config }: TestService, work: (context: Context) => Promise<unknown>): Promise<void> {
  const { context, close } = await openOperator(config, { ...usualOptions, ...options })
  await work(context).finally(close)
}

async function databaseOf({ host }: TestService, { id }: TestTenant): Promise<string> {
  return (await host.get(`/api/tenants/${id}/database`)).body.kind
}

async function fill({ user }: TestTenant, canary: string): Promise<void> {
  const teacher = await created(user, '/api/authors', { name: `Öko ${canary}` })
  const pupil = await created(user, '/api/authors', { name: `Pupil ${canary}`, teacherId: teacher })
  const chapter = {
    title: `One ${canary}`,
    price: 0.1,
    byId: pupil,
    words: [canary, '', 'ß'].filter(Boolean),
  }
  const whole = {
    title: `Täglich 🥐 ${canary}`,
    pages: -5,
    price: 99_999_999_999.9999,
    isBound: true,
    soldOn: '2028-02-29',
    readAt: '2026-01-31T09:30:00.001Z',
    state: 'old',
    authorId: teacher,
    words: [canary, "O'Neil"],
    shape: { note: canary },
    chapters: [chapter, { ...chapter, byId: null, title: `Two ${canary}` }],
  }
  const id = await created(user, '/api/volumes', whole)
  await created(user, '/api/volumes', { ...whole, shape: null, chapters: [], words: [], isBound: false })
  assert.equal((await user.patch(`/api/volumes/${id}`, { price: 0.0001 })).status, 200)
}

async function created(user: Client, path: string, body: object): Promise<string> {
  const { status, body: row, text: told } = await user.post(path, body)
  assert.equal(status, 201, told)
  return row.id
}

/** Each row with its tag, alone, in its list and in GraphQL. */
async function whatIsSeenBy(user: Client): Promise<unknown> {
  const seen: unknown[] = []
  for (const path of ['/api/authors', '/api/volumes']) {
    const list = await user.get(path)
    assert.equal(list.status, 200, list.text)
    seen.push(list.body)
    for (const { id } of list.body) seen.push((await user.get(`${path}/${id}`)).headers.get('etag'))
  }
  const query = `{ volumes(order: { author: { name: DESC } }) {
    totalCount nodes { number author { name teacher { name } } chapters { title by { teacher { name } } } total }
  } }`
  return [...seen, (await user.post('/graphql', { query })).body]
}

/** Numbers, unique values, the search and tags mean what they meant. */
async function goesOn(user: Client, canary: string): Promise<void> {
  assertError(await user.post('/api/authors', { name: `ÖKO ${canary}` }), 400, /^name: is taken/)
  const found = await user.get('/api/volumes?search=TÄGLICH&sort=-number')
  assert.deepEqual(
    found.body.map(({ number }: { number: number }) => number),
    [2, 1],
  )
  const [{ id, number: _number, total: _total, createdAt: _made, updatedAt: _changed, ...input }] = found.body
  const next = await user.post('/api/volumes', input)
  assert.equal(next.body.number, 3, next.text)
  const { headers } = await user.get(`/api/volumes/${id}`)
  const changed = await user.patch(
    `/api/volumes/${id}`,
    { pages: 1 },
    { 'if-match': headers.get('etag') ?? '' },
  )
  assert.equal(changed.status, 200, changed.text)
  assertError(await user.delete(`/api/authors/${input.authorId}`), 400, /is in use/)
}
