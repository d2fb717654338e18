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

async function operation(host: Client) {
  return (await host.get('/api/operations')).body[0]
}
