/** The store in a folder: no id and no link leads out of it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, beforeEach, describe, it } from 'node:test'
import { LocalStore } from '../../src/files/store/local-store.ts'

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const range = { start: 0, end: 3 }

describe('The store of files in a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'tenantry-store-'))
  const folder = join(root, 'files')
  const elsewhere = join(root, 'elsewhere')
  const store = new LocalStore(folder)
  beforeEach(() => {
    for (const path of [folder, elsewhere]) rmSync(path, { recursive: true, force: true })
    for (const path of [join(folder, '.uploads'), elsewhere]) mkdirSync(path, { recursive: true })
  })
  after(() => rmSync(root, { recursive: true }))

  /** As an upload leaves it. */
  function received() {
    const path = join(folder, '.uploads', 'one')
    writeFileSync(path, 'text')
    return { path, size: 4, sha256: '' }
  }

  for (const key of [
    { tenantId: 'acme', id: 'x/../../../../tenantry.config.ts' },
    { tenantId: 'acme', id: '../other' },
    { tenantId: 'acme', id: `${id}\0` },
    { tenantId: 'acme', id: '' },
    { tenantId: '..', id },
    { tenantId: 'a/../..', id },
    { tenantId: '.uploads', id },
    { tenantId: '', id },
  ]) {
    it(`refuses the key ${JSON.stringify(key)}`, async () => {
      const file = received()
      await assert.rejects(store.put(key, file), /is not a UUID|No tenant has this id/)
      await assert.rejects(store.open(key, range), /is not a UUID|No tenant has this id/)
      await assert.rejects(store.remove(key), /is not a UUID|No tenant has this id/)
      assert.deepEqual(readdirSync(root).toSorted(), ['elsewhere', 'files'])
      assert.deepEqual(readdirSync(folder), ['.uploads'])
    })
  }

  it('follows no link out of its folder', async () => {
    symlinkSync(elsewhere, join(folder, 'linked'))
    const key = { tenantId: 'linked', id }
    const unavailable = { kind: 'unavailable' }
    await assert.rejects(store.put(key, received()), unavailable)
    assert.deepEqual(readdirSync(elsewhere), [])
    writeFileSync(join(elsewhere, id), 'secret')
    await assert.rejects(store.open(key, range), unavailable)
    await assert.rejects(store.remove(key), unavailable)
    await store.removeTenant('linked')
    assert.ok(existsSync(join(elsewhere, id)))
    await store.put({ tenantId: 'acme', id }, received())
    symlinkSync(join(elsewhere, id), join(folder, 'acme', id.replace('0198', '0199')))
    await assert.rejects(store.open({ tenantId: 'acme', id: id.replace('0198', '0199') }, range), unavailable)
  })

  it('may be behind a link itself', async () => {
    symlinkSync(folder, join(root, 'link'))
    const linked = new LocalStore(join(root, 'link'))
    await linked.put({ tenantId: 'Acme', id }, received())
    const bytes = await linked.open({ tenantId: 'acme', id }, range)
    assert.equal(await text(bytes), 'text')
    assert.ok(existsSync(join(folder, 'acme', id)))
    assert.equal(await linked.remove({ tenantId: 'acme', id }), true)
    rmSync(join(root, 'link'))
  })
})
