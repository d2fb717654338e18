import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import type { Context } from '../../../src/core/context.ts'
import { tenantContext } from '../../../src/core/create-context.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { route } from '../../../src/core/feature/route.ts'
import { tenantSetting } from '../../../src/core/tenant/settings/cache.ts'
import { setting } from '../../../src/core/tenant/settings/setting.ts'
import { inTransaction } from '../../../src/core/transaction.ts'
import { moveTenant } from '../../../src/operations/move/move.ts'
import { createService } from '../../../src/service/service.ts'
import { updateTenantSettings } from '../../../src/tenancy/settings/settings.ts'
import { getTenant } from '../../../src/tenancy/tenant.ts'
import { emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { eventsOf } from '../../support/orders.ts'
import { startService, type TestService, uniqueName, usualOptions } from '../../support/service.ts'

const path = '/api/tenant/settings'

const settings = {
  invoicePrefix: setting(Type.String({ maxLength: 10, description: 'Before the number' }), {
    default: 'INV-',
  }),
  paper: setting(Type.Enum(['A4', 'LETTER']), { default: 'A4', public: true, labels: { nl: 'Papier' } }),
  signature: setting(Type.String({ maxLength: 20_000 }), { default: '' }),
  reminder: setting(Type.Object({ days: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 5 }) }), {
    default: { days: [14] },
  }),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [
      `text${index}`,
      setting(Type.String({ maxLength: 8000 }), { default: '' }),
    ]),
  ),
}

let reads: string[] = []

/** Reads a setting in each way that code has. */
const reader: Feature = {
  name: 'reader',
  tenantSettings: settings,
  routes: [
    route({
      method: 'GET',
      path: '/api/prefix',
      summary: 'Get the prefix',
      tag: 'Tests',
      access: 'user',
      status: 200,
      handle: async (context) => ({ prefix: await tenantSetting(context, settings.invoicePrefix) }),
    }),
    route({
      method: 'POST',
      path: '/api/prefix',
      summary: 'Change the prefix and fail',
      tag: 'Tests',
      access: 'user',
      status: 200,
      handle: async (context) => {
        reads = []
        const read = async (each: Context) => reads.push(await tenantSetting(each, settings.invoicePrefix))
        await inTransaction(context, async (inside) => {
          await read(inside)
          await updateTenantSettings(inside, { invoicePrefix: 'UNDONE' })
          await read(inside)
          throw new Error('undone')
        }).catch(() => undefined)
        await read(context)
        return reads
      },
    }),
  ],
}

onEitherDatabase('The settings of a tenant', (database) => {
  let service: TestService
  let other: Instance
  before(async () => {
    service = await startService(database, {}, { features: [reader] })
    other = await startOther(service, { features: [reader] })
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const prefixFor = async (client: TestService['host']) => (await client.get('/api/prefix')).body.prefix

  it('have defaults, and are changed one by one', async () => {
    const { admin } = await service.newTenant()
    const fresh = await admin.get(path)
    assert.equal(fresh.status, 200, fresh.text)
    assert.partialDeepStrictEqual(fresh.body, {
      invoicePrefix: 'INV-',
      paper: 'A4',
      brandName: null,
      locale: 'en',
    })
    const first = await admin.put(path, { invoicePrefix: 'RE-', reminder: { days: [7, 14] } })
    assert.deepEqual(first.body, { ...fresh.body, invoicePrefix: 'RE-', reminder: { days: [7, 14] } })
    const second = await admin.put(path, { invoicePrefix: null, paper: 'LETTER' })
    assert.deepEqual(second.body, { ...first.body, invoicePrefix: 'INV-', paper: 'LETTER' })
    assert.deepEqual((await admin.get(path)).body, second.body)
  })

  it('refuse what their schemas refuse, and unknown names, and are unchanged then', async () => {
    const { admin } = await service.newTenant()
    const refused: [body: object, message: RegExp][] = [
      [{ invoicePrefix: 'far too long' }, /^invoicePrefix: must not have more than 10 characters$/],
      [{ paper: 'A5' }, /^paper: must be one of A4, LETTER/],
      [{ reminder: { days: [0] } }, /^reminder\.days\.0: must be >= 1$/],
      [{ invoicePrefx: 'RE-' }, /^invoicePrefx: is unknown; did you mean invoicePrefix\?$/],
      [{ paper: 'LETTER', nothingLike: 1 }, /^nothingLike: is unknown$/],
      [{ signature: 'ä'.repeat(5000) }, /^signature: must not be larger than 8 KiB$/],
      [
        Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`text${index}`, 'a'.repeat(8000)])),
        /^The settings of a tenant must not be larger than 64 KiB together\.$/,
      ],
    ]
    const unchanged = await admin.get(path)
    for (const [body, message] of refused) {
      const answer = await admin.put(path, body)
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 100))
      assert.match(answer.body.message, message)
    }
    const still = await admin.get(path)
    assert.deepEqual([still.body, still.headers.get('etag')], [unchanged.body, unchanged.headers.get('etag')])
  })

  it('belong to administrators, but for the public ones', async () => {
    const { id, admin, user } = await service.newTenant()
    await admin.put(path, { brandName: 'Acme', invoicePrefix: 'RE-' })
    assert.deepEqual([(await user.get(path)).status, (await user.put(path, {})).status], [403, 403])
    assert.equal((await service.anonymous.get(path)).status, 401)
    for (const caller of [user, service.anonymous.with({ 'x-tenant-id': id })]) {
      const { status, body } = await caller.get(`${path}/public`)
      assert.deepEqual(
        [status, body.brandName, body.paper, body.invoicePrefix],
        [200, 'Acme', 'A4', undefined],
      )
    }
  })

  it('are changed only as their reader knows them, if it asks for that', async () => {
    const { admin } = await service.newTenant()
    const read = await admin.get(path)
    const tag = read.headers.get('etag') ?? ''
    assert.equal((await admin.get(path, { 'if-none-match': tag })).status, 304)
    const changed = await admin.put(path, { paper: 'LETTER' }, { 'if-match': tag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), tag)
    assert.equal((await admin.put(path, { paper: 'A4' }, { 'if-match': tag })).status, 412)
    const same = await admin.put(path, { paper: 'LETTER' })
    assert.equal(same.headers.get('etag'), changed.headers.get('etag'), 'nothing has changed')
    const answers = await Promise.all(
      ['A-', 'B-'].map((invoicePrefix) =>
        admin.put(path, { invoicePrefix }, { 'if-match': same.headers.get('etag') ?? '' }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412])
  })

  it('leave an event and a record of the audit with each change', async () => {
    const { id, admin } = await service.newTenant()
    await admin.put(path, { invoicePrefix: 'RE-', paper: 'A4' })
    await admin.put(path, { invoicePrefix: 'RE-' })
    const told = (await eventsOf(service, id)).filter(({ type }) => type === 'tenant.configured')
    assert.deepEqual(
      told.map(({ data }) => data),
      [{ tenantId: id, changed: ['invoicePrefix', 'paper'] }],
    )
    const { body } = await admin.get('/api/audit?action=tenant.configured')
    assert.deepEqual(
      body.map(({ detail }: { detail: object }) => detail),
      [{ invoicePrefix: { before: 'INV-', after: 'RE-' }, paper: { before: 'A4', after: 'A4' } }],
    )
  })

  it('are described in a language that only the label of a setting has', async () => {
    const { admin } = await service.newTenant()
    const { body, headers } = await admin.get(`${path}/definitions`, { 'accept-language': 'nl, de;q=0.5' })
    assert.equal(headers.get('content-language'), 'nl')
    const { label } = body.find(({ name }: { name: string }) => name === 'paper')
    assert.equal(label, 'Papier')
  })

  it('are fields of GraphQL', async () => {
    const { admin, user } = await service.newTenant()
    const query =
      'mutation ($input: TenantSettingsInput!) { updateTenantSettings(input: $input) { invoicePrefix paper reminder locale } }'
    const input = { invoicePrefix: 'RE-', paper: 'LETTER', reminder: { days: [3] }, locale: 'de' }
    const changed = await admin.post('/graphql', { query, variables: { input } })
    assert.deepEqual(changed.body, { data: { updateTenantSettings: input } })
    const read = '{ tenantSettings { prefix: invoicePrefix brandName __typename } }'
    assert.deepEqual((await admin.post('/graphql', { query: read })).body, {
      data: { tenantSettings: { prefix: 'RE-', brandName: null, __typename: 'TenantSettings' } },
    })
    const wrong = await admin.post('/graphql', {
      query,
      variables: { input: { invoicePrefix: 'far too long' } },
    })
    assert.match(wrong.body.errors[0].message, /^invoicePrefix: must not have more than 10 characters$/)
    for (const [text, variables] of [[read], [query, { input }]] as const) {
      const { body } = await user.post('/graphql', { query: text, variables })
      assert.equal(body.errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')
    }
  })

  it('are read by code, in every database and on every instance', async () => {
    const own = await service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    for (const { admin, user } of [await service.newTenant(), own]) {
      const there = other.anonymous.with(user.headers)
      assert.deepEqual([await prefixFor(user), await prefixFor(there)], ['INV-', 'INV-'])
      assert.equal((await admin.put(path, { invoicePrefix: 'RE-' })).status, 200)
      assert.equal(await prefixFor(user), 'RE-', 'at once where it was changed')
      await eventually('the change there', soonMs, async () => (await prefixFor(there)) === 'RE-')
    }
  })

  it('are what the transaction has changed inside of it, and what they were when it fails', async () => {
    const { user } = await service.newTenant()
    assert.deepEqual((await user.post('/api/prefix')).body, ['INV-', 'UNDONE', 'INV-'])
  })

  it('cost no query once they were read', async () => {
    const operator = await service.service.operator()
    const { executor } = operator.shared.catalogueDatabase
    const run = executor.run.bind(executor)
    let statements = 0
    executor.run = (...given) => {
      statements++
      return run(...given)
    }
    try {
      await updateTenantSettings(operator, { invoicePrefix: uniqueName('').slice(0, 9) })
      await eventually('the end of the notifications', soonMs, async () => {
        statements = 0
        for (let time = 0; time < 100; time++) await tenantSetting(operator, settings.invoicePrefix)
        return statements === 0
      })
      await updateTenantSettings(operator, { invoicePrefix: null })
      statements = 0
      assert.equal(await tenantSetting(operator, settings.invoicePrefix), 'INV-')
      assert.ok(statements > 0, 'the statements are counted')
    } finally {
      executor.run = run
    }
  })

  it('go with a tenant that is moved, and are cached no longer', async () => {
    const { id, admin, user } = await service.newTenant()
    await admin.put(path, { invoicePrefix: 'RE-' })
    assert.equal(await prefixFor(user), 'RE-')
    const file = `sqlite:${uniqueName('moved')}.db`
    const operator = await service.service.operator()
    const { shared } = operator
    const asBefore = tenantContext(shared, await getTenant(operator, id), shared.catalogueDatabase)
    await moveTenant(operator, id, file, { removeAfterMs: 0 })
    assert.equal(await prefixFor(user), 'RE-')
    assert.equal((await admin.put(path, { invoicePrefix: 'M-' })).status, 200)
    assert.equal(
      await tenantSetting(asBefore, settings.invoicePrefix),
      'INV-',
      'by a request from before the move',
    )
    assert.equal(await prefixFor(user), 'M-')
    const left = `SELECT 1 FROM tenant_setting WHERE tenant_id = '${id}'`
    assert.deepEqual(await inspect(service.config.databaseUrl, left), [])
  })
})

onEitherDatabase('A setting whose default does not match its schema', (database) => {
  it('refuses the start', async () => {
    const { config, drop } = await emptyDatabase(database)
    const wrong = setting(Type.String({ maxLength: 2 }), { default: 'INV-' })
    const features = [{ name: 'wrong', tenantSettings: { invoicePrefix: wrong } }]
    await assert.rejects(
      createService(config, { ...usualOptions, features }),
      /The tenant setting invoicePrefix has a default that does not match its schema\./,
    )
    await drop()
  })
})
