/** Files of entities: an id goes in, the file comes out; what no row names is swept. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, file, many, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import type { Client } from '../support/client.ts'
import { TestClock } from '../support/clock.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { pdf, png } from '../support/files/contents.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { download, pathOf, storedIn, sweep, upload } from './scene.ts'

const contract = entity('contract', {
  fields: {
    title: text(),
    document: file({ types: ['application/pdf'], maxBytes: 1000 }),
    logo: file({ types: ['image/png'] }).optional(),
  },
})
const album = entity('album', {
  fields: { pictures: many({ caption: text(), picture: file({ types: ['image/png'] }) }) },
})

onEitherDatabase('A field with a file', (database) => {
  const clock = new TestClock()
  let service: TestService
  let tenant: TestTenant
  let user: Client
  before(async () => {
    service = await startService(database, {}, { clock: clock.now, features: migrated([contract, album]) })
    tenant = await service.newTenant()
    user = tenant.user
  })
  after(() => service.stop())

  const uploaded = async (content?: Buffer, type?: string): Promise<string> => {
    const answer = await upload(user, content, type === undefined ? {} : { type })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }

  it('takes an id, and gives the id and the file', async () => {
    const documentId = await uploaded(pdf('one'))
    const created = await user.post('/api/contracts', { title: 'One', documentId })
    assert.equal(created.status, 201, created.text)
    const { document, logo, logoId } = created.body
    assert.deepEqual(
      [created.body.documentId, document.id, document.type, logo, logoId],
      [...[documentId, documentId, 'application/pdf', null, null]],
    )
    assert.equal(
      (await download(service.anonymous, pathOf(document.url))).bytes.toString(),
      pdf('one').toString(),
    )
    const path = `/api/contracts/${created.body.id}`
    const read = await user.get(path)
    assert.deepEqual(read.body, created.body)
    assert.ok(read.headers.get('etag'))
    const { body: whole } = await user.get('/api/contracts')
    assert.deepEqual(whole.at(-1), created.body)
    const { body: filtered } = await user.get(`/api/contracts?documentId=${documentId}&fields=id,documentId`)
    assert.deepEqual(filtered, [{ id: created.body.id, documentId, document }])
    assert.deepEqual((await user.patch(path, { title: 'Two' })).body.document, document)
    const asked = `{ contract(id: "${created.body.id}") { documentId document { name type size } logo { id } } }`
    assert.deepEqual((await user.post('/graphql', { query: asked })).body.data.contract, {
      documentId,
      document: { name: 'a.pdf', type: 'application/pdf', size: pdf('one').length },
      logo: null,
    })
  })

  it('refuses what does not fit', async () => {
    const stranger = (await service.newTenant()).user
    const foreign = (await upload(stranger)).body.id
    const refused: [string, RegExp][] = [
      [await uploaded(png, 'image/png'), /^documentId: must name a file of the type application\/pdf$/],
      [
        await uploaded(Buffer.concat([pdf(), Buffer.alloc(1000)])),
        /^documentId: must name a file of at most 1000 bytes$/,
      ],
      [crypto.randomUUID(), /^documentId: names no file$/],
      [foreign, /^documentId: names no file$/],
    ]
    for (const [documentId, fault] of refused)
      assertError(await user.post('/api/contracts', { title: 'No', documentId }), 400, fault)
    assertError(await user.post('/api/contracts', { title: 'No' }), 400, /documentId/)
  })

  it('keeps its file from being deleted, and lets go of it', async () => {
    const [first, second] = [await uploaded(pdf('first')), await uploaded(pdf('second'))]
    const row = await user.post('/api/contracts', { title: 'One', documentId: first })
    assertError(await user.delete(`/api/files/${first}`), 400, 'The file is in use and cannot be deleted.')
    const path = `/api/contracts/${row.body.id}`
    assert.equal((await user.patch(path, { documentId: second })).body.document.id, second)
    assert.equal((await user.delete(`/api/files/${first}`)).status, 204)
    assert.equal((await user.delete(path)).status, 204)
    assert.equal((await user.delete(`/api/files/${second}`)).status, 204)
  })

  it('is swept after a day when no row names it, and not while one does', async () => {
    const shared = await uploaded(pdf('shared'))
    const kept = await user.post('/api/contracts', { title: 'Kept', documentId: shared })
    const other = await user.post('/api/contracts', { title: 'Other', documentId: shared })
    await user.delete(`/api/contracts/${other.body.id}`)
    const unused = await uploaded(pdf('unused'))
    await sweep(service)
    assert.equal((await user.get(`/api/files/${unused}/link`)).status, 200)
    clock.advance({ minutes: 25 * 60 })
    await sweep(service)
    user = (await service.signIn('worker', tenant.id)).client
    assertError(await user.get(`/api/files/${unused}/link`), 404, 'There is no such file.')
    assert.equal((await user.get(`/api/contracts/${kept.body.id}`)).body.document.id, shared)
    const contents = storedIn(service)
    assert.ok(contents.some((path) => path.endsWith(shared)))
    assert.ok(contents.every((path) => !path.endsWith(unused)))
  })

  it('is one in the rows of a list as well', async () => {
    const ids = [await uploaded(png, 'image/png'), await uploaded(png, 'image/png')]
    const pictures = ids.map((pictureId, place) => ({ caption: `No. ${place}`, pictureId }))
    const made = await user.post('/api/albums', { pictures })
    assert.equal(made.status, 201, made.text)
    const shown = (body: { pictures: { picture: { id: string } }[] }) =>
      body.pictures.map(({ picture }) => picture.id)
    assert.deepEqual(shown(made.body), ids)
    assert.deepEqual((await user.get('/api/albums')).body, [made.body])
    const path = `/api/albums/${made.body.id}`
    assert.deepEqual(shown((await user.patch(path, { pictures: pictures.slice(1) })).body), ids.slice(1))
    assert.equal((await user.delete(`/api/files/${ids[0]}`)).status, 204)
    assertError(await user.delete(`/api/files/${ids[1]}`), 400, /in use/)
    const wrong = [{ caption: 'No', pictureId: await uploaded() }]
    assertError(
      await user.post('/api/albums', { pictures: wrong }),
      400,
      /^pictures\.0\.pictureId: must name a file/,
    )
  })
})
