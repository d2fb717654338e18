import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { executable, Workplace } from '../../support/process/workplace.ts'

/** A file system of our own in a name space of our own: nobody has to be root, and nothing has to be undone. */
const ownMounts = ['unshare', '--map-root-user', '--mount']
const trial = spawnSync(ownMounts[0] ?? '', [...ownMounts.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])

const diskMegabytes = 6
const mostWrites = 2000

describe('A full disk', {
  skip: trial.status === 0 ? false : 'this machine lets nobody mount a file system of their own',
}, () => {
  it('fails writes with 503 and no reads, is told by readiness, and is over when there is room again, without a restart', async () => {
    const MASTER_KEY = newMasterKey()
    await using place = new Workplace({ PORT: '0', MASTER_KEY, DATA_DIR: 'disk/data' })
    const mount = `mkdir disk && mount -t tmpfs -o size=${diskMegabytes}m tmpfs disk`
    const serve = `exec '${process.execPath}' '${executable}' serve`
    const service = place.start([], { command: [...ownMounts, 'sh', '-c', `${mount} && ${serve}`] })
    const [, url = ''] = await service.waitFor(/^Tenantry listens on (\S+)$/m)
    const running = Object.assign(service, { url, anonymous: new Client(url) })
    const { authorization } = await createAdmin(running)
    const admin = running.anonymous.with({ authorization })
    const acknowledged: string[] = []
    const write = async () => {
      const made = await admin.post('/api/products', {
        name: 'Desk',
        price: 1,
        description: 'x'.repeat(2000),
      })
      if (made.status === 201) acknowledged.push(made.body.id)
      return made
    }
    assert.equal((await write()).status, 201)

    const ballast = join('/proc', `${service.process.pid}`, 'root', place.folder, 'disk/ballast')
    fillDisk(ballast)
    let refused = await write()
    for (let count = 0; refused.status === 201 && count < mostWrites; count++) refused = await write()
    assert.equal(refused.status, 503, refused.text)
    assert.equal(refused.headers.get('retry-after'), '2')
    assert.equal((await write()).status, 503)
    for (const id of acknowledged) assert.equal((await admin.get(`/api/products/${id}`)).status, 200)
    assert.equal((await admin.get('/api/products?limit=5')).status, 200)
    const ready = async () => (await running.anonymous.get('/health/ready')).status
    await eventually('readiness says so', soonMs, async () => (await ready()) === 503)

    rmSync(ballast)
    await eventually('it is ready', soonMs, async () => (await ready()) === 200)
    await eventually('writes go on', soonMs, async () => (await write()).status === 201)
    const { body } = await admin.get('/api/products')
    assert.deepEqual(body.map(({ id }: { id: string }) => id).toSorted(), acknowledged.toSorted())
    assert.equal((await service.stop()).code, 0)
  })
})

function fillDisk(path: string): void {
  assert.throws(() => writeFileSync(path, Buffer.alloc(2 * diskMegabytes * 1_048_576)), { code: 'ENOSPC' })
}
