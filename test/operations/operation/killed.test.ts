/** A process that is killed in the middle of an operation. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { person } from '../../support/service.ts'

for (const kind of ['erase', 'backup'] as const)
  it(`An operation of a killed process is carried out by the next: ${kind}`, async () => {
    await using place = new Workplace()
    const first = await place.serve()
    const { accessToken } = await createAdmin(first)
    const host = first.anonymous.withToken(accessToken)
    const made = await host.post('/api/tenants', { id: 'acme', name: 'Acme', admin: person('boss') })
    assert.equal(made.status, 201)
    await host.delete('/api/tenants/acme')
    const path = kind === 'backup' ? '/api/backups' : '/api/tenants/acme/erase'
    const requested = await host.post(path, kind === 'backup' ? undefined : { confirm: 'acme' })
    assert.equal(requested.status, 202)
    await eventually('the beginning', soonMs, async () => (await operation(host)).startedAt !== null)
    await first.kill()

    const next = await place.serve()
    const again = next.anonymous.withToken(accessToken)
    await eventually('the end', 4 * soonMs, async () => (await operation(again)).finishedAt !== null)
    const { status, error, result } = await operation(again)
    assert.deepEqual([status, error], ['DONE', null])
    if (kind === 'erase') assert.equal((await again.get('/api/tenants/acme')).status, 404)
    else assert.deepEqual(readdirSync(join(place.folder, 'data', 'backups')), [result.path.split('/').at(-1)])
    assert.equal((await next.stop()).code, 0)
  })

for (const [phase, end] of [
  ['copying', 'killed'],
  ['removing', 'killed'],
  ['removing', 'stopped'],
] as const)
  it(`A move whose process is ${end} while ${phase} is carried on by the next, and ends once`, async () => {
    await using place = new Workplace()
    const first = await place.serve()
    const { accessToken } = await createAdmin(first)
    const host = first.anonymous.withToken(accessToken)
    await host.post('/api/tenants', { id: 'acme', name: 'Acme', admin: person('boss') })
    const boss = { userName: 'boss', password: person('boss')['password'] }
    const signedIn = await first.anonymous.post('/api/auth/login', boss, { 'x-tenant-id': 'acme' })
    const admin = first.anonymous.withToken(signedIn.body.accessToken)
    for (let count = 0; count < 50; count++) await admin.post('/api/products', { name: 'Desk', price: count })
    const target = { connectionString: 'sqlite:acme.db', removeAfterSeconds: 10 }
    assert.equal((await host.post('/api/tenants/acme/move', target)).status, 202)
    await eventually(phase, 4 * soonMs, async () => (await operation(host)).phase === phase)
    if (end === 'killed') await first.kill()
    else assert.equal((await first.stop()).code, 0)

    const next = await place.serve()
    const again = next.anonymous.withToken(accessToken)
    await eventually('the end', 6 * soonMs, async () => (await operation(again)).finishedAt !== null)
    const { status, error, result } = await operation(again)
    assert.deepEqual([status, error], ['DONE', null])
    assert.deepEqual(result, { database: 'sqlite', left: null })
    assert.equal((await again.get('/api/tenants/acme/database')).body.kind, 'sqlite')
    const products = next.anonymous.withToken(signedIn.body.accessToken).get('/api/products?limit=100')
    assert.equal((await products).body.length, 50)
    const { body: records } = await again.get('/api/audit/all?action=tenant.moved')
    assert.equal(records.length, 1)
    assert.equal((await next.stop()).code, 0)
  })

async function operation(host: Client) {
  return (await host.get('/api/operations')).body[0]
}
