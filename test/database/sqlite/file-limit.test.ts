/** The file of the database may not grow (`ulimit -f`), as on a disk with room for a few pages. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { executable, Workplace } from '../../support/process/workplace.ts'

/** Of 512 bytes: a file may have 3 MiB, half as much again as the tables take. */
const fileBlocks = 6144
const limited = ['sh', '-c', `ulimit -S -f ${fileBlocks}; exec '${process.execPath}' '${executable}' serve`]
const maxWrites = 2000
const asks = 10

describe('A database file that may not grow', () => {
  it('is told by readiness as long as writes fail, whatever small one would succeed, and is over without a restart', async () => {
    const MASTER_KEY = newMasterKey()
    await using place = new Workplace({ MASTER_KEY, LOG_LEVEL: 'silent' })
    const service = await place.serve({ DATA_DIR: 'data' }, limited)
    const { authorization } = await createAdmin(service)
    const admin = service.anonymous.with({ authorization })
    const ready = async () => (await service.anonymous.get('/health/ready')).status
    // In three bytes for each character: some pages.
    const product = { name: 'Desk', price: 1, description: '大'.repeat(2000) }
    const write = async () => (await admin.post('/api/products', product)).status
    let last = await write()
    assert.equal(last, 201)
    for (let count = 0; last === 201 && count < maxWrites; count++) last = await write()
    assert.equal(last, 503)
    const states: number[] = []
    for (let count = 0; count < asks; count++) {
      assert.equal(await write(), 503)
      states.push(await ready())
    }
    assert.deepEqual([...new Set(states)], [503])

    execFileSync('prlimit', ['--pid', `${service.process.pid}`, '--fsize=unlimited'])
    await eventually('it is ready', soonMs, async () => (await ready()) === 200)
    assert.equal(await write(), 201)
    assert.equal((await service.stop()).code, 0)
  })
})
