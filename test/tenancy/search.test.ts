import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { walkPages } from '../support/pages.ts'
import { startService, type TestService } from '../support/service.ts'

/** More than one statement looks at. */
const others = 4100

onEachDatabase('The search for tenants', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database)
    await insertOthers(service)
    const named = { 'aa-first': 'Müller & Söhne', 'mm-middle': 'Straße 7', 'zz-Last': 'MÜLLER GmbH' }
    for (const [id, name] of Object.entries(named)) await service.host.post('/api/tenants', { id, name })
  })
  after(() => service.stop())

  const idsOf = async (query: string) =>
    (await service.host.get(`/api/tenants?${query}`)).body.map(({ id }: { id: string }) => id)

  it('finds parts of the name and of the id, without regard to case', async () => {
    assert.deepEqual(await idsOf('search=müller'), ['aa-first', 'zz-Last'])
    assert.deepEqual(await idsOf('search=ÜLL gmbh'), ['zz-Last'])
    assert.deepEqual(await idsOf('search=strasse'), ['mm-middle'])
    assert.deepEqual(await idsOf('search=Z-LAST'), ['zz-Last'])
    assert.deepEqual(await idsOf('search=zz müller'), ['zz-Last'])
    assert.deepEqual(await idsOf('search=%25'), [])
    assert.deepEqual(await idsOf('search=nobody'), [])
  })

  it('has the parameters of every list, and pages that follow each other', async () => {
    const first = await service.host.get('/api/tenants?search=müller&limit=1&fields=name&count=true')
    assert.deepEqual(first.body, [{ name: 'Müller & Söhne' }])
    assert.equal(first.headers.get('x-total-count'), '2')
    const pages = await walkPages(service.host, '/api/tenants?search=copy&limit=200&fields=id')
    const found = pages.flatMap(({ body }) => body.map(({ id }: { id: string }) => id))
    assert.equal(found.length, others)
    assert.deepEqual(found, found.toSorted())
    assert.equal((await idsOf('search=copy')).length, 50)
    const counted = await service.host.get('/api/tenants?search=copy&limit=1&count=true')
    assert.equal(counted.headers.get('x-total-count'), `${others}`)
    assertError(
      await service.host.get('/api/tenants?search=a b c d e f g h i'),
      400,
      'search: must have 8 words at most',
    )
    assert.equal((await service.host.get('/api/tenants?search=a&cursor=AA')).status, 400)
  })

  it('is not needed for those whose ids are known, of which each is read once', async () => {
    const ids = 'id[in]=ZZ-last,aa-first,nobody,aa-first,~'
    assert.deepEqual(await idsOf(ids), ['aa-first', 'zz-Last'])
    assert.deepEqual(await idsOf(`${ids}&search=gmbh`), ['zz-Last'])
    const pages = await walkPages(service.host, `/api/tenants?${ids}&limit=1&fields=name`)
    const found = pages.flatMap(({ body }) => body)
    assert.deepEqual(found, [{ name: 'Müller & Söhne' }, { name: 'MÜLLER GmbH' }])
    const many = Array.from({ length: 101 }, (_, index) => `t${index}`).join()
    for (const refused of ['', ',', 'aa-first,', many])
      assert.equal((await service.host.get(`/api/tenants?id[in]=${refused}`)).status, 400, refused)
    const { id, admin } = await service.newTenant()
    const own = await admin.get(`/api/tenants?id[in]=aa-first,${id}`)
    assert.deepEqual(
      own.body.map((each: { id: string }) => each.id),
      [id],
    )
    assert.deepEqual((await admin.get('/api/tenants?id[in]=aa-first')).body, [])
  })

  it('finds for the administrator of a tenant that tenant alone', async () => {
    const { id, admin } = await service.newTenant({ name: 'Müller Dritte' })
    const found = await admin.get('/api/tenants?search=müller&count=true')
    assert.deepEqual(
      [found.body.map((each: { id: string }) => each.id), found.headers.get('x-total-count')],
      [[id], '1'],
    )
    assert.deepEqual((await admin.get('/api/tenants?search=gmbh')).body, [])
  })
})

/** Over the API each would be a transaction. */
async function insertOthers({ service }: TestService): Promise<void> {
  const { catalogueDatabase } = (await service.operator()).shared
  const rows = Array.from({ length: others }, (_, index) => `n-${`${index}`.padStart(5, '0')}`)
  const values = rows.map((id) => `('${id}', '${id}', 'Copy ${id}', true, '2026-01-31T09:30:00.000Z', 1)`)
  const columns = 'id, id_key, name, is_active, created_at, version'
  await catalogueDatabase.transaction((transaction) =>
    transaction.run(`INSERT INTO tenant (${columns}) VALUES ${values.join()}`, [], false),
  )
}
