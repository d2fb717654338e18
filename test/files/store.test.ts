/** Files in a store with the protocol of S3, also while it is away, and of a tenant that is erased. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { eraseTenant } from '../../src/operations/erase/erase.ts'
import type { Client } from '../support/client.ts'
import { TestClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { pdf } from '../support/files/contents.ts'
import { type S3Server, startS3Server } from '../support/files/s3-server.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { download, storedIn, sweep, upload } from './scene.ts'

onEitherDatabase('Files in S3', (database) => {
  const clock = new TestClock()
  let store: S3Server
  let service: TestService
  let tenant: TestTenant
  let user: Client
  before(async () => {
    store = await startS3Server()
    service = await startService(database, store.settings, { clock: clock.now })
    tenant = await service.newTenant()
    user = tenant.user
  })
  after(async () => {
    await service.stop()
    await store.close()
  })

  it('are stored, read in parts and removed with valid signatures', async () => {
    const content = Buffer.concat([pdf(), randomBytes(300_000)])
    const { id } = (await upload(user, content)).body
    assert.deepEqual([...store.objects.keys()], [`kept here & there/${tenant.id}/${id}`])
    assert.deepEqual(storedIn(service), [])
    assert.ok((await download(user, `/api/files/${id}`)).bytes.equals(content))
    const part = await download(user, `/api/files/${id}`, { range: 'bytes=100-299999' })
    assert.ok(part.bytes.equals(content.subarray(100, 300_000)))
    assert.equal((await user.delete(`/api/files/${id}`)).status, 204)
    assert.equal(store.objects.size, 0)
    assert.deepEqual(store.refused, [])
  })

  it('are read in parts from a store that ignores ranges', async () => {
    const content = Buffer.concat([pdf(), randomBytes(300_000)])
    const { id } = (await upload(user, content)).body
    store.ignoresRanges = true
    for (const [range, start, end] of [
      ['bytes=100-299999', 100, 300_000],
      ['bytes=-5', content.length - 5, content.length],
      ['bytes=0-0', 0, 1],
    ] as const) {
      const part = await download(user, `/api/files/${id}`, { range })
      assert.equal(part.status, 206)
      assert.ok(part.bytes.equals(content.subarray(start, end)), range)
    }
    assert.ok((await download(user, `/api/files/${id}`)).bytes.equals(content))
    store.ignoresRanges = false
    assert.equal((await user.delete(`/api/files/${id}`)).status, 204)
  })

  it('are not taken from a store that sends another part', async () => {
    const { id } = (await upload(user, Buffer.concat([pdf(), randomBytes(300)]))).body
    store.sendsOtherRanges = true
    const read = await download(user, `/api/files/${id}`, { range: 'bytes=100-109' })
    assert.equal(read.status, 503)
    store.sendsOtherRanges = false
    assert.equal((await user.delete(`/api/files/${id}`)).status, 204)
  })

  for (const fault of ['slow down', 'reset', 'redirect'] as const) {
    it(`are stored, read and removed although the store answers with a ${fault} first`, async () => {
      store.faults.push(fault, fault)
      const made = await upload(user, pdf(fault))
      assert.equal(made.status, 201, made.text)
      store.faults.push(fault)
      const read = await download(user, `/api/files/${made.body.id}`)
      assert.ok(read.bytes.equals(pdf(fault)))
      store.faults.push(fault)
      assert.equal((await user.delete(`/api/files/${made.body.id}`)).status, 204)
      assert.equal(store.objects.size, 0)
      assert.deepEqual([store.faults, store.refused], [[], []])
    })
  }

  it('are gone with an erased tenant, and those of others are not', async () => {
    const other = await service.newTenant()
    await upload(user)
    for (const text of ['1', '2', '3']) await upload(other.user, pdf(text))
    const kept = [...store.objects.keys()].filter((key) => !key.includes(other.id))
    assert.equal(kept.length, 1)
    assert.equal(store.objects.size, kept.length + 3)
    await service.host.delete(`/api/tenants/${other.id}`)
    await eraseTenant(await service.service.operator(), other.id)
    assert.deepEqual([...store.objects.keys()], kept)
    assert.deepEqual(store.refused, [])
  })

  it('are not said to be erased while the store keeps them, or answers with what is no listing', async () => {
    const other = await service.newTenant()
    for (const text of ['1', '2', '3']) await upload(other.user, pdf(text))
    await service.host.delete(`/api/tenants/${other.id}`)
    const left = () => [...store.objects.keys()].filter((key) => key.includes(other.id)).length
    const isRefused = async () => {
      await assert.rejects(eraseTenant(await service.service.operator(), other.id), {
        message: 'The store of files cannot be reached.',
      })
      assert.equal(left(), 3)
    }
    store.keepsAll = true
    await isRefused()
    store.keepsAll = false
    for (const answer of [
      '',
      '<html>The bucket is behind a proxy</html>',
      '<s3:ListBucketResult xmlns:s3="s3"><s3:Contents><s3:Key>x</s3:Key></s3:Contents></s3:ListBucketResult>',
      '<ListBucketResult><Contents><Key>x</Key></Contents></ListBucketResult>',
      '<ListBucketResult><Contents><Key>x</Key></Contents>',
      '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
    ]) {
      store.listing = answer
      await isRefused()
    }
    store.listing = null
    await eraseTenant(await service.service.operator(), other.id)
    assert.equal(left(), 0)
  })

  it('are refused with 503 while the store is away, and leave nothing', async () => {
    const earlier = [...store.objects.keys()]
    const { id } = (await upload(user)).body
    const removed = (await upload(user)).body.id
    store.isAway = true
    const refused = await upload(user)
    assertError(refused, 503, 'The store of files cannot be reached.')
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.equal((await download(user, `/api/files/${id}`)).status, 503)
    assert.equal((await user.delete(`/api/files/${removed}`)).status, 204)
    assertError(await user.get(`/api/files/${removed}/link`), 404)
    store.isAway = false
    assert.equal((await download(user, `/api/files/${id}`)).status, 200)
    const rows = await inspect(
      service.config.databaseUrl,
      `SELECT id FROM file WHERE tenant_id = '${tenant.id}'`,
    )
    assert.equal(rows.length, earlier.length + 1)
    assert.equal(store.objects.size, earlier.length + 2)
    assert.deepEqual(storedIn(service), [])
    clock.advance({ minutes: 61 })
    await sweep(service)
    assert.deepEqual([...store.objects.keys()], [...earlier, `kept here & there/${tenant.id}/${id}`])
    const strays = await inspect(service.config.databaseUrl, 'SELECT id FROM stray_file')
    assert.deepEqual(strays, [])
  })
})
