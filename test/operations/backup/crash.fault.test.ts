import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, Workplace } from '../../support/process/workplace.ts'
import { masterKey } from '../data-folder.ts'

/** Enough that there is a middle to be killed in. */
const ballastMegabytes = 60

describe('kill -9', () => {
  const place = new Workplace({ MASTER_KEY: masterKey })
  before(async () => {
    assert.equal((await place.run(['migrate'])).code, 0)
    addBallast(join(place.folder, 'data/tenantry.db'))
  })
  after(() => place[Symbol.asyncDispose]())

  it('in the middle of a backup leaves nothing that looks whole', async () => {
    const drafts = () => readdirSync(place.folder).filter((name) => name.startsWith('copy.incomplete-'))
    const isBegun = () => drafts().some((name) => existsSync(join(place.folder, name, 'catalogue.db')))
    await killWhen(place.start(['backup', '--to', 'copy']), isBegun)
    assert.equal(existsSync(join(place.folder, 'copy')), false)
    const { code, stderr } = await place.run(['restore', '--from', drafts()[0] ?? ''])
    assert.equal(code, 1)
    assert.match(stderr, /The backup is incomplete: \S+manifest\.json cannot be read\./)
    assert.equal((await place.run(['backup', '--to', 'copy'])).code, 0)
  })

  it('in the middle of a restore leaves nothing that serves, and the next restore finishes it', async () => {
    const settings = { DATA_DIR: 'restored', PORT: '0' }
    const words = ['restore', '--from', 'copy']
    const isBegun = () => existsSync(join(place.folder, 'restored/tenantry.db.incomplete'))
    await killWhen(place.start(words, { settings }), isBegun)
    const others = [['serve'], ['tenant', 'list'], ['migrate'], ['backup', '--to', 'again']]
    for (const { code, stderr } of await Promise.all(others.map((other) => place.run(other, { settings })))) {
      assert.equal(code, 1)
      assert.match(
        stderr,
        /^tenantry: A restore into \S+restored was not finished\. Run tenantry restore again/,
      )
    }
    assert.equal((await place.run(words, { settings })).code, 0)
    assert.match((await place.run(['tenant', 'list'], { settings })).stdout, /^default\t/)
  })
})

function addBallast(path: string): void {
  const file = new DatabaseSync(path)
  file.exec('BEGIN')
  // Notes of a move that nobody makes: only tables of the service are restored.
  const insert = file.prepare(
    "INSERT INTO move_log (tenant, relation, key) VALUES ('', '', randomblob(1000000))",
  )
  for (let count = 0; count < ballastMegabytes; count++) insert.run()
  file.exec('COMMIT')
  file.close()
}

async function killWhen(running: Running, isDue: () => boolean): Promise<void> {
  while (!isDue() && running.process.exitCode === null) await sleep(1)
  assert.equal((await running.kill()).signal, 'SIGKILL', 'it ended before it could be killed')
}
