import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

interface Audited {
  id: string
  action: string
  actorId: string
  subjectId: string
}

/** More than a page with the other records of the tenant. */
const changes = 47

onEitherDatabase('The pages of the audit', (database) => {
  let service: TestService
  let tenant: TestTenant
  let workerId: string
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    workerId = (await tenant.user.get('/api/auth/me')).body.id
    for (let count = 0; count < changes; count++)
      await tenant.admin.put(`/api/users/${workerId}`, { phoneNumber: `${count}` })
  })
  after(() => service.stop())

  it('have actions that the service lists, with what was done', async () => {
    const { body: actions } = await tenant.admin.get('/api/audit/actions')
    const names = actions.map(({ action }: { action: string }) => action)
    assert.deepEqual(names, names.toSorted())
    assert.deepEqual(
      actions.find(({ action }: { action: string }) => action === 'user.created'),
      { action: 'user.created', summary: 'A user was created' },
    )
    const { body: records } = await tenant.admin.get('/api/audit?limit=200')
    for (const { action } of records) assert.ok(names.includes(action), action)
    assert.equal((await tenant.user.get('/api/audit/actions')).status, 403)
  })

  it('have actions in the language of the caller', async () => {
    const summaryIn = async (query: string, accepted: string) => {
      const { status, body, headers } = await tenant.admin.get(`/api/audit/actions${query}`, {
        'accept-language': accepted,
      })
      assert.equal(status, 200)
      assert.ok(headers.get('vary')?.includes('accept-language'))
      const { summary } = body.find(({ action }: { action: string }) => action === 'user.created')
      return [headers.get('content-language'), summary]
    }
    assert.deepEqual(await summaryIn('', 'de-CH, fr;q=0.5'), ['de', 'Ein Benutzer wurde angelegt'])
    assert.deepEqual(await summaryIn('?language=fr', 'de'), ['fr', 'Un utilisateur a été créé'])
    assert.deepEqual(await summaryIn('', 'ja'), ['en', 'A user was created'])
    assert.equal((await tenant.admin.get('/api/audit/actions?language=no+tag')).status, 400)
  })

  it('hold fifty records, newest first, and lead to the next', async () => {
    const first = await tenant.admin.get('/api/audit')
    assert.equal(first.body.length, 50)
    const all = await walk('/api/audit?limit=13')
    assert.equal(all.length, changes + 5)
    assert.deepEqual(all.slice(0, 50), first.body)
    assert.deepEqual(
      all.map(({ id }) => id),
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  })

  it('are not moved by what happens meanwhile', async () => {
    const first = await tenant.admin.get('/api/audit?limit=5')
    await tenant.admin.put(`/api/users/${workerId}`, { phoneNumber: 'later' })
    const second = await tenant.admin.get(nextOf(first.headers))
    const ids = [...first.body, ...second.body].map(({ id }: Audited) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('are filtered by action, by subject, by actor, and by all of them', async () => {
    const created = await walk('/api/audit?action=user.created&limit=1')
    assert.equal(created.length, 2)
    assert.ok(created.every(({ action }) => action === 'user.created'))
    const ofWorker = await walk(`/api/audit?subjectId=${workerId}&limit=20`)
    assert.equal(ofWorker.length, changes + 2)
    const byWorker = await walk(`/api/audit?actorId=${workerId.toUpperCase()}`)
    assert.deepEqual(
      byWorker.map(({ action }) => action),
      ['session.started'],
    )
    const filter = `action=user.updated&subjectId=${workerId}&actorId=${byWorker[0]?.actorId}`
    assert.deepEqual(await walk(`/api/audit?${filter}`), [])
    assert.deepEqual(await walk('/api/audit?action=nothing.done'), [])
  })

  it('refuse what is no filter or no cursor of theirs', async () => {
    const queries = [
      'limit=0',
      'limit=201',
      'limit=1.5',
      'actorId=7',
      'cursor=x',
      'cursor=AAAA',
      `action=${'x'.repeat(101)}`,
    ]
    for (const query of [...queries, 'action=a%00b', 'limit=1&limit=2']) {
      const answer = await tenant.admin.get(`/api/audit?${query}`)
      assert.equal(answer.status, 400, query)
      assert.deepEqual(Object.keys(answer.body), ['message'])
    }
  })

  it('show nothing of another tenant, whatever cursor or filter is given', async () => {
    const other = await service.newTenant()
    const { headers } = await tenant.admin.get('/api/audit?limit=1')
    const foreign = await other.admin.get(nextOf(headers))
    for (const { id } of foreign.body) {
      const mine = (await walk('/api/audit?limit=200')).map((record) => record.id)
      assert.ok(!mine.includes(id))
    }
    assert.deepEqual((await other.admin.get(`/api/audit?subjectId=${workerId}`)).body, [])
    assert.deepEqual((await other.admin.get(`/api/audit?actorId=${workerId}`)).body, [])
  })

  async function walk(path: string): Promise<Audited[]> {
    const found: Audited[] = []
    for (let next = path; next !== ''; ) {
      const { status, body, headers } = await tenant.admin.get(next)
      assert.equal(status, 200)
      found.push(...body)
      next = nextOf(headers)
    }
    return found
  }
})

function nextOf(headers: Headers): string {
  return /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
}
