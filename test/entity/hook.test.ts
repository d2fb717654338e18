/** Hooks run inside the transaction of a change, with the row, the input and the actor. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { EntityHooks } from '../../src/entity/options.ts'
import { entity, type InputOf, type RowOf, ServiceError, text } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventsOf } from '../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const noteFields = { title: text(), slug: text().default('none').readOnly() }
type NoteHooks = EntityHooks<RowOf<typeof noteFields>, InputOf<typeof noteFields>>

interface Call {
  hook: string
  title: string
  /** The title before the change. */
  before: string | null
  input: object
  actor: string | null
  isInside: boolean
}

const names = [
  'beforeCreate',
  'afterCreate',
  'beforeChange',
  'afterChange',
  'beforeDelete',
  'afterDelete',
] as const

const calls: Call[] = []
/** The hook that throws. */
let failing: (typeof names)[number] | null = null

const trace = entity('trace', { fields: { hook: text() } })

function observe(name: (typeof names)[number]): NonNullable<NoteHooks['afterChange']> {
  return async (row, { context, input, before: old }) => {
    calls.push({
      hook: name,
      title: row.title,
      before: old?.title ?? null,
      input,
      actor: context.actor?.userName ?? null,
      isInside: context.transaction !== null,
    })
    await trace.create(context, { hook: name })
    if (failing === name) throw new ServiceError('invalid', `${name} refuses.`)
  }
}

const note = entity('note', {
  fields: noteFields,
  actions: { retitle: { run: () => ({ title: 'Retitled' }) } },
  hooks: {
    beforeCreate: async (row, change) => {
      await observe('beforeCreate')(row, change)
      return { slug: row.title.toLowerCase() }
    },
    afterCreate: observe('afterCreate'),
    beforeChange: async (row, change) => {
      await observe('beforeChange')(row, change)
      return { slug: `${change.before?.slug}-${row.title.toLowerCase()}` }
    },
    afterChange: observe('afterChange'),
    beforeDelete: observe('beforeDelete'),
    afterDelete: observe('afterDelete'),
  },
})

onEitherDatabase('Hooks of an entity', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: migrated([note, trace]) })
    tenant = await service.newTenant()
  })
  after(() => service.stop())
  beforeEach(() => {
    calls.length = 0
    failing = null
  })

  const newNote = async (): Promise<{ id: string; slug: string }> => {
    const made = await tenant.user.post('/api/notes', { title: 'First' })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const told = () => calls.map(({ hook, title, before: old, input }) => [hook, title, old, input])

  it('get the new row and what the caller gave, and set members before it is written', async () => {
    const { id, slug } = await newNote()
    const input = { title: 'First' }
    assert.deepEqual(told(), [
      ['beforeCreate', 'First', null, input],
      ['afterCreate', 'First', null, input],
    ])
    assert.equal(slug, 'first')
    assert.equal((await tenant.user.get(`/api/notes/${id}`)).body.slug, 'first')
  })

  it('get the changed row, the row before and the input, for PATCH, PUT and actions', async () => {
    const { id } = await newNote()
    for (const [change, title, input, slug] of [
      [
        () => tenant.user.patch(`/api/notes/${id}`, { title: 'Second' }),
        'Second',
        { title: 'Second' },
        'first-second',
      ],
      [
        () => tenant.user.put(`/api/notes/${id}`, { title: 'Third' }),
        'Third',
        { title: 'Third' },
        'first-second-third',
      ],
      [() => tenant.user.post(`/api/notes/${id}/retitle`), 'Retitled', {}, 'first-second-third-retitled'],
    ] as const) {
      const { title: old } = (await tenant.user.get(`/api/notes/${id}`)).body
      calls.length = 0
      const changed = await change()
      assert.deepEqual([changed.status, changed.body.slug], [200, slug], changed.text)
      assert.deepEqual(told(), [
        ['beforeChange', title, old, input],
        ['afterChange', title, old, input],
      ])
    }
  })

  it('get the deleted row', async () => {
    const { id } = await newNote()
    calls.length = 0
    assert.equal((await tenant.user.delete(`/api/notes/${id}`)).status, 204)
    assert.deepEqual(told(), [
      ['beforeDelete', 'First', 'First', {}],
      ['afterDelete', 'First', 'First', {}],
    ])
  })

  it('know who acts, and are inside the transaction', async () => {
    const me = await tenant.user.post('/graphql', { query: '{ me { userName } }' })
    const { id } = await newNote()
    await tenant.user.patch(`/api/notes/${id}`, { title: 'Second' })
    await tenant.user.delete(`/api/notes/${id}`)
    assert.deepEqual(
      calls.map(({ hook, actor, isInside }) => [hook, actor, isInside]),
      names.map((name) => [name, me.body.data.me.userName, true]),
    )
  })

  for (const name of names)
    it(`undo everything when ${name} throws`, async () => {
      const { id } = await newNote()
      const state = async () => ({
        notes: (await tenant.user.get('/api/notes')).body,
        traces: (await tenant.user.get('/api/traces')).body.length,
        events: (await eventsOf(service, tenant.id)).length,
        audit: (await tenant.admin.get('/api/audit?limit=1')).body,
      })
      const whole = await state()
      failing = name
      const requests = {
        Create: () => tenant.user.post('/api/notes', { title: 'Other' }),
        Change: () => tenant.user.put(`/api/notes/${id}`, { title: 'Other' }),
        Delete: () => tenant.user.delete(`/api/notes/${id}`),
      }
      const [operation] = name.match(/[A-Z].*/) ?? []
      assertError(await requests[operation as keyof typeof requests](), 400, `${name} refuses.`) // one of them
      assert.deepEqual(await state(), whole)
    })
})
