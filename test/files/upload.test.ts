/** Files over REST: uploaded, checked, read, linked, deleted. */
import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { TestClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { pdf, png } from '../support/files/contents.ts'
import { eventsOf } from '../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { download, pathOf, storedIn, upload } from './scene.ts'

const maxBytes = 200_000
const quotaBytes = 600_000

onEitherDatabase('Files', (database) => {
  const clock = new TestClock()
  let service: TestService
  let tenant: TestTenant
  let user: Client
  before(async () => {
    const settings = { FILES_MAX_BYTES: `${maxBytes}`, FILES_QUOTA_BYTES: `${quotaBytes}` }
    service = await startService(database, settings, { clock: clock.now })
    tenant = await service.newTenant()
    user = tenant.user
  })
  after(() => service.stop())

  it('are uploaded as bytes, and read as they were', async () => {
    const content = Buffer.concat([pdf(), Buffer.alloc(150_000, 'x')])
    const { status, body, headers } = await upload(user, content, { name: 'Rechnung Ü "1".pdf' })
    assert.equal(status, 201)
    const { id, url, ...rest } = body
    assert.deepEqual(rest, { name: 'Rechnung Ü "1".pdf', type: 'application/pdf', size: content.length })
    assert.equal(headers.get('location'), `/api/files/${id}`)
    assert.ok(url.startsWith(`${service.config.baseUrl}/files/${id}?tenant=${tenant.id}&`))
    const read = await download(user, `/api/files/${id}`)
    assert.deepEqual([read.status, read.bytes.equals(content)], [200, true])
    const shown = [
      'content-type',
      'content-length',
      'x-content-type-options',
      'accept-ranges',
      'content-disposition',
    ]
    assert.deepEqual(
      shown.map((name) => read.headers.get(name)),
      [
        ...['application/pdf', `${content.length}`, 'nosniff', 'bytes'],
        `attachment; filename="Rechnung _ _1_.pdf"; filename*=UTF-8''Rechnung%20%C3%9C%20%221%22.pdf`,
      ],
    )
    assert.match(read.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
    assert.equal(
      (await user.send('HEAD', `/api/files/${id}`)).headers.get('content-length'),
      `${content.length}`,
    )
  })

  it('are read in ranges and under conditions', async () => {
    const content = pdf('0123456789')
    const { id } = (await upload(user, content)).body
    const path = `/api/files/${id}`
    const tag = (await download(user, path)).headers.get('etag') ?? ''
    assert.equal((await download(user, path, { 'if-none-match': tag })).status, 304)
    const part = await download(user, path, { range: 'bytes=2-5' })
    assert.deepEqual([part.status, part.bytes.toString()], [206, content.toString().slice(2, 6)])
    assert.equal(part.headers.get('content-range'), `bytes 2-5/${content.length}`)
    assert.equal(
      (await download(user, path, { range: 'bytes=-6' })).bytes.toString(),
      content.toString().slice(-6),
    )
    const stale = await download(user, path, { range: 'bytes=2-5', 'if-range': '"other"' })
    assert.deepEqual([stale.status, stale.bytes.length], [200, content.length])
    const beyond = await download(user, path, { range: `bytes=${content.length}-` })
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${content.length}`])
  })

  it('have their whole length in the reply to HEAD, for which no range is defined', async () => {
    const content = pdf('0123456789')
    const { id, url } = (await upload(user, content)).body
    for (const path of [`/api/files/${id}`, pathOf(url)])
      for (const range of ['bytes=2-5', `bytes=${content.length}-`]) {
        const { status, headers } = await user.send('HEAD', path, undefined, { range, 'if-range': '"x"' })
        const part = await user.send('HEAD', path, undefined, { range })
        for (const reply of [{ status, headers }, part]) {
          assert.deepEqual([reply.status, reply.headers.get('content-range')], [200, null])
          assert.equal(reply.headers.get('content-length'), `${content.length}`)
        }
      }
  })

  it('are uploaded as a form', async () => {
    const form = new FormData()
    form.append('note', 'before the file')
    form.append('file', new Blob([png], { type: 'image/png' }), 'dot.png')
    const response = await fetch(`${service.url}/api/files`, {
      method: 'POST',
      body: form,
      headers: user.headers,
    })
    const { id, name, type, size } = (await response.json()) as Record<string, string>
    assert.deepEqual([response.status, name, type, size], [201, 'dot.png', 'image/png', png.length])
    const read = await download(user, `/api/files/${id}`)
    assert.ok(read.bytes.equals(png))
    assert.match(read.headers.get('content-disposition') ?? '', /^inline/)
  })

  it('are refused when they lie or are too large, and leave nothing', async () => {
    const stored = storedIn(service)
    const large = Buffer.concat([pdf(), Buffer.alloc(maxBytes)])
    const unnamed = { 'content-type': 'application/pdf' }
    const refused: [string, () => Promise<{ status: number; text: string }>, number, RegExp][] = [
      ['a lie', () => upload(user, png), 415, /content of the file is not application\/pdf/],
      [
        'another type',
        () => upload(user, png, { type: 'text/html' }),
        415,
        /type text\/html are not accepted/,
      ],
      ['a NUL', () => upload(user, Buffer.from('a\0b'), { type: 'text/csv' }), 415, /not text\/csv/],
      ['an empty file', () => upload(user, Buffer.alloc(0)), 400, /empty/],
      ['a bad name', () => upload(user, pdf(), { name: 'a\nb' }), 400, /name/],
      [
        'a coded body',
        () => user.send('POST', '/api/files?name=a.pdf', pdf(), { ...unnamed, 'content-encoding': 'gzip' }),
        415,
        /Content-Encoding/,
      ],
      ['no name', () => user.send('POST', '/api/files', pdf(), unnamed), 400, /name/],
      ['a large file', () => upload(user, large), 413, /larger than/],
      ['one of unknown length', () => sendChunked(user, maxBytes + 1), 413, /larger than/],
    ]
    for (const [what, send, status, text] of refused) {
      const { status: found, text: message } = await send()
      assert.equal(found, status, `${what}: ${message}`)
      assert.match(message, text, what)
    }
    assert.deepEqual(storedIn(service), stored)
  })

  it('are refused with 503 while the folder of the store is away, and leave no row', async () => {
    const rows = () => inspect(service.config.databaseUrl, 'SELECT id FROM file ORDER BY id')
    const { id } = (await upload(user)).body
    const earlier = await rows()
    const folder = join(service.dataDir, 'files')
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, '')
    const refused = await upload(user)
    assertError(refused, 503, 'The store of files cannot be reached.')
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.equal((await download(user, `/api/files/${id}`)).status, 503)
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    assert.deepEqual(await rows(), earlier)
    assert.equal((await download(user, `/api/files/${id}`)).status, 200)
    assert.equal((await upload(user)).status, 201)
  })

  it('leave nothing when they break off', async () => {
    const stored = storedIn(service)
    const call = request(`${service.url}/api/files?name=a.pdf`, {
      method: 'POST',
      headers: { ...user.headers, 'content-type': 'application/pdf', 'content-length': '100000' },
    })
    call.on('error', () => undefined)
    call.write(pdf())
    await eventually('the upload has begun', soonMs, async () => storedIn(service).length > stored.length)
    call.destroy()
    await eventually('nothing is left', soonMs, async () => storedIn(service).length === stored.length)
  })

  it('are refused beyond the quota of the tenant, until others are deleted', async () => {
    const { user: other } = await service.newTenant()
    const large = Buffer.concat([pdf(), Buffer.alloc(maxBytes - 100)])
    const first = await upload(other, large)
    assert.deepEqual([(await upload(other, large)).status, (await upload(other, large)).status], [201, 201])
    assertError(await upload(other, large), 413, /files of the tenant would have more than/)
    assert.equal((await other.delete(`/api/files/${first.body.id}`)).status, 204)
    assert.equal((await upload(other, large)).status, 201)
  })

  it('may have the largest size and fill the quota, also in a form, which is longer than its file', async () => {
    const { user: other } = await service.newTenant()
    const largest = Buffer.concat([pdf(), Buffer.alloc(maxBytes - pdf().length)])
    const head = 'Content-Disposition: form-data; name="a"; filename="a.pdf"\r\nContent-Type: application/pdf'
    const sendForm = (content: Buffer) => {
      const body = Buffer.concat([
        Buffer.from(`--edge\r\n${head}\r\n\r\n`),
        content,
        Buffer.from('\r\n--edge--\r\n'),
      ])
      return other.send('POST', '/api/files', body, { 'content-type': 'multipart/form-data; boundary=edge' })
    }
    assertError(await sendForm(Buffer.concat([largest, Buffer.from('x')])), 413, /larger than/)
    const made = [await sendForm(largest), await upload(other, largest), await sendForm(largest)]
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201],
    )
    assertError(await sendForm(pdf()), 413, /files of the tenant would have more than/)
  })

  it('are like none for another tenant and after their deletion', async () => {
    const { id } = (await upload(user)).body
    const stranger = (await service.newTenant()).user
    for (const path of [`/api/files/${id}`, `/api/files/${id}/link`])
      assertError(await stranger.get(path), 404, 'There is no such file.')
    assertError(await stranger.delete(`/api/files/${id}`), 404, 'There is no such file.')
    assert.equal((await user.delete(`/api/files/${id}`)).status, 204)
    assertError(await user.get(`/api/files/${id}`), 404, 'There is no such file.')
    assert.ok(storedIn(service).every((path) => !path.includes(id)))
    assertError(await service.anonymous.get(`/api/files/${id}`), 401)
  })

  it('publish events, and are recorded and counted', async () => {
    const { id } = (await upload(user)).body
    await user.delete(`/api/files/${id}`)
    const events = (await eventsOf(service, tenant.id)).filter(({ data }) => data['fileId'] === id)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['name']]),
      [
        ['file.created', 'a.pdf'],
        ['file.deleted', 'a.pdf'],
      ],
    )
    const { body: audit } = await tenant.admin.get('/api/audit?limit=2')
    assert.deepEqual(
      audit.map(({ action, subjectId }: Record<string, string>) => [action, subjectId]),
      [
        ['file.deleted', id],
        ['file.created', id],
      ],
    )
    const { text } = await service.anonymous.get('/metrics')
    assert.match(text, /^files_uploaded_total \d+$/m)
    assert.match(text, /^files_in_transfer 0$/m)
  })

  it('are read by their links without a token, until these expire', async () => {
    const { id, url } = (await upload(user, png, { type: 'image/png', name: 'dot.png' })).body
    const { anonymous } = service
    const read = await download(anonymous, pathOf(url))
    assert.deepEqual([read.status, read.bytes.equals(png)], [200, true])
    assert.equal(read.headers.get('cross-origin-resource-policy'), 'cross-origin')
    const other = (await upload(user)).body.id
    const stranger = await service.newTenant()
    const forged = [
      pathOf(url).replace(id, other),
      pathOf(url).replace(tenant.id, stranger.id),
      pathOf(url).replace(/expires=\d/, 'expires=9'),
      pathOf(url).replace(/signature=./, 'signature='),
      pathOf(url).replace(/&signature=.*/, ''),
    ]
    for (const path of forged)
      assertError(await anonymous.get(path), 404, 'The link is not valid, or has expired.')
    assert.equal((await user.get(`/api/files/${id}/link`)).body.url, url)
    clock.advance({ minutes: 61 })
    user = (await service.signIn('worker', tenant.id)).client
    assertError(await anonymous.get(pathOf(url)), 404, 'The link is not valid, or has expired.')
    const renewed = (await user.get(`/api/files/${id}/link`)).body.url
    assert.equal((await download(anonymous, pathOf(renewed))).status, 200)
    await user.delete(`/api/files/${id}`)
    assertError(await anonymous.get(pathOf(renewed)), 404, 'There is no such file.')
  })
})

/** Without a Content-Length. */
function sendChunked(caller: Client, bytes: number): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const headers = { ...caller.headers, 'content-type': 'application/pdf' }
  const call = request(`${caller.baseUrl}/api/files?name=a.pdf`, { method: 'POST', headers }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
  })
  call.on('error', reject)
  call.write(pdf())
  call.end(Buffer.alloc(bytes))
  return promise
}
