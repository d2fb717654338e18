/** Files of rows with rules: whoever reaches a row reads its files, and nobody learns of another one by any way. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, file, like, many, reference, text, user } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { userWith } from '../entity/ruled-fields.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { pdf, png } from '../support/files/contents.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { download, pathOf, upload } from './scene.ts'

const paper = () => file({ types: ['application/pdf'] }).optional()

const ticket = entity('ticket', {
  fields: {
    title: text(),
    owner: user().optional(),
    scan: paper(),
    report: paper(),
    pictures: many({ caption: text(), picture: file({ types: ['image/png'] }) }).optional(),
  },
  access: {
    rows: ({ row, actor }) => row.owner.is(actor.id),
    fields: { report: { read: 'ticket:internal' } },
  },
})
const comment = entity('comment', {
  fields: { ticket: reference(ticket), attachment: paper() },
  access: { rows: like('ticket') },
})
/** Without rules of rows. */
const contract = entity('contract', {
  fields: { title: text(), document: paper(), draft: paper() },
  access: { fields: { draft: { read: 'contract:drafts' } } },
})

const unknown = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

onEitherDatabase('Files of rows with rules', (database) => {
  let service: TestService
  let tenant: TestTenant
  let admin: Client
  let ada: Client
  let bob: Client
  const ids = new Map<Client, string>()

  const callerWith = async (permissions: readonly string[]): Promise<Client> => {
    const { client } = await service.signIn(await userWith(tenant, permissions), tenant.id)
    ids.set(client, (await client.get('/api/auth/me')).body.id)
    return client
  }
  const usual = ['ticket', 'comment', 'contract', 'file'].flatMap((name) => [`${name}:read`, `${name}:write`])

  before(async () => {
    service = await startService(database, {}, { features: migrated([ticket, comment, contract]) })
    tenant = await service.newTenant()
    admin = tenant.admin
    ada = await callerWith(usual)
    bob = await callerWith(usual)
  })
  after(() => service.stop())

  const uploaded = async (caller: Client, content?: Buffer, type?: string): Promise<string> => {
    const answer = await upload(caller, content, type === undefined ? {} : { type })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }
  const made = async (caller: Client, path: string, body: object): Promise<string> => {
    const answer = await caller.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }
  const ticketOf = (owner: Client, members: object, caller = admin): Promise<string> =>
    made(caller, '/api/tickets', { title: 'One', ownerId: ids.get(owner), ...members })

  const reads = async (caller: Client, id: string): Promise<boolean> => {
    const [content, link] = [await caller.get(`/api/files/${id}`), await caller.get(`/api/files/${id}/link`)]
    assert.equal(content.status, link.status)
    assert.ok(content.status === 200 || content.status === 404)
    return content.status === 200
  }

  /** By every route, as an unknown one. */
  const requireUnknown = async (caller: Client, id: string): Promise<void> => {
    const requests: [method: string, path: string, headers: Record<string, string>][] = [
      ['GET', '', {}],
      ['HEAD', '', {}],
      ['GET', '', { range: 'bytes=0-3' }],
      ['GET', '', { range: 'bytes=99999999-' }],
      ['GET', '', { 'if-none-match': '*' }],
      ['GET', '', { 'if-match': '"other"' }],
      ['GET', '/link', {}],
      ['DELETE', '', {}],
    ]
    for (const [method, path, headers] of requests) {
      const hidden = await caller.send(method, `/api/files/${id}${path}`, undefined, headers)
      const none = await caller.send(method, `/api/files/${unknown}${path}`, undefined, headers)
      assert.deepEqual([hidden.status, hidden.text], [none.status, none.text], `${method} ${path}`)
      assert.equal(hidden.status, 404)
    }
    for (const member of ['scanId', 'pictures']) {
      const body = (given: string) => ({
        title: 'Mine',
        ownerId: ids.get(caller),
        [member]: member === 'scanId' ? given : [{ caption: 'Mine', pictureId: given }],
      })
      const hidden = await caller.post('/api/tickets', body(id))
      const none = await caller.post('/api/tickets', body(unknown))
      assert.deepEqual([hidden.status, hidden.text], [none.status, none.text], member)
      assert.equal(hidden.status, 400, hidden.text)
    }
    const named = await caller.post('/api/contracts', { title: 'Mine', documentId: id })
    assertError(named, 400, 'documentId: names no file')
  }

  it('are read by who uploaded them, while no row names them', async () => {
    const id = await uploaded(ada)
    assert.equal(await reads(ada, id), true)
    assert.equal(await reads(admin, id), true)
    await requireUnknown(bob, id)
    assert.equal((await ada.delete(`/api/files/${id}`)).status, 204)
  })

  it('are read by who reaches a row that names them, and by nobody else', async () => {
    const scanId = await uploaded(ada, pdf('scan'))
    const row = await ticketOf(ada, { scanId }, ada)
    assert.equal(await reads(ada, scanId), true)
    await requireUnknown(bob, scanId)
    assertError(await ada.delete(`/api/files/${scanId}`), 400, 'The file is in use and cannot be deleted.')
    const path = `/api/tickets/${row}`
    const { url } = (await ada.get(path)).body.scan
    assert.equal((await admin.patch(path, { ownerId: ids.get(bob) })).status, 200)
    assert.equal(await reads(bob, scanId), true)
    assert.equal((await bob.get(path)).body.scan.id, scanId)
    const part = await bob.get(`/api/files/${scanId}`, { range: 'bytes=0-3' })
    assert.deepEqual([part.status, part.text], [206, '%PDF'])
    await requireUnknown(ada, scanId)
    // A link that was made before is valid until it expires.
    assert.equal((await download(service.anonymous, pathOf(url))).status, 200)
  })

  it('are like those of no row after the row has gone', async () => {
    const scanId = await uploaded(ada)
    const row = await ticketOf(bob, { scanId })
    assert.deepEqual([await reads(ada, scanId), await reads(bob, scanId)], [false, true])
    assert.equal((await bob.patch(`/api/tickets/${row}`, { scanId: null })).status, 200)
    assert.equal(await reads(ada, scanId), true)
    await requireUnknown(bob, scanId)
    assert.equal((await admin.delete(`/api/tickets/${row}`)).status, 204)
  })

  it('are not those of their uploader while a row out of reach names them', async () => {
    const scanId = await uploaded(ada)
    const own = await ticketOf(ada, { scanId }, ada)
    const other = await ticketOf(bob, { scanId })
    assert.equal((await ada.patch(`/api/tickets/${own}`, { scanId: null })).status, 200)
    await requireUnknown(ada, scanId)
    assert.equal((await admin.delete(`/api/tickets/${other}`)).status, 204)
    assert.equal(await reads(ada, scanId), true)
  })

  it('stay hidden with the member that names them', async () => {
    const insider = await callerWith([...usual, 'ticket:all', 'ticket:internal'])
    const reportId = await uploaded(insider, pdf('report'))
    const row = await ticketOf(ada, { reportId }, insider)
    assert.equal(await reads(insider, reportId), true)
    const { body } = await ada.get(`/api/tickets/${row}`)
    assert.deepEqual(['report' in body, 'reportId' in body], [false, false])
    await requireUnknown(ada, reportId)
    const draftId = await uploaded(admin, pdf('draft'))
    await made(admin, '/api/contracts', { title: 'Draft', draftId })
    await requireUnknown(ada, draftId)
    // A second row shows it.
    await ticketOf(ada, { scanId: reportId }, insider)
    assert.equal(await reads(ada, reportId), true)
  })

  it('belong to the rows of lists, and to rows whose rules are those of another', async () => {
    const [one, two] = [await uploaded(admin, png, 'image/png'), await uploaded(admin, png, 'image/png')]
    const pictures = [one, two].map((pictureId, place) => ({ caption: `No. ${place}`, pictureId }))
    const row = await ticketOf(ada, { pictures })
    const attachmentId = await uploaded(admin)
    await made(admin, '/api/comments', { ticketId: row, attachmentId })
    for (const id of [one, attachmentId]) {
      assert.equal(await reads(ada, id), true)
      await requireUnknown(bob, id)
    }
    const turned = await ada.patch(`/api/tickets/${row}`, { pictures: pictures.toReversed() })
    assert.equal(turned.status, 200, turned.text)
    assert.deepEqual(
      turned.body.pictures.map((each: { picture: { id: string } }) => each.picture.id),
      [two, one],
    )
    const fewer = await ada.patch(`/api/tickets/${row}`, { pictures: pictures.slice(0, 1) })
    assert.equal(fewer.status, 200, fewer.text)
    assert.deepEqual([await reads(ada, one), await reads(ada, two)], [true, false])
  })

  it('are attached to other rows by who reads them', async () => {
    const scanId = await uploaded(admin)
    await ticketOf(ada, { scanId })
    const second = await ticketOf(ada, { scanId }, ada)
    assert.equal((await admin.patch(`/api/tickets/${second}`, { ownerId: ids.get(bob) })).status, 200)
    assert.deepEqual([await reads(ada, scanId), await reads(bob, scanId)], [true, true])
  })

  it('leave files of rows without rules as they are', async () => {
    const documentId = await uploaded(ada)
    await made(ada, '/api/contracts', { title: 'Open', documentId })
    assert.equal(await reads(bob, documentId), true)
    await made(bob, '/api/contracts', { title: 'Copy', documentId })
    const onlyFiles = await callerWith(['file:read'])
    assert.equal(await reads(onlyFiles, documentId), true)
  })

  it('ask for the permission to read the rows, beside the rows', async () => {
    const onlyFiles = await callerWith(['file:read', 'file:write'])
    const scanId = await uploaded(admin)
    await ticketOf(onlyFiles, { scanId })
    assert.equal(await reads(onlyFiles, scanId), false)
  })

  it('are bounded in GraphQL by the rows', async () => {
    const shared = await uploaded(admin, pdf('shared'))
    await ticketOf(ada, { scanId: shared, title: 'of ada' })
    await ticketOf(bob, { scanId: await uploaded(admin), title: 'of bob' })
    const query =
      '{ tickets(where: { scan: { size: { gt: 0 } }, title: { startsWith: "of " } }) { nodes { title scan { id name } } } }'
    const { body } = await ada.post('/graphql', { query })
    assert.deepEqual(body.data.tickets.nodes, [{ title: 'of ada', scan: { id: shared, name: 'a.pdf' } }])
  })

  it('are read by the API key that uploaded them', async () => {
    const key = await admin.post('/api/api-keys', {
      name: 'Import',
      permissions: ['file:read', 'file:write'],
    })
    const caller = service.anonymous.withToken(key.body.key)
    const id = await uploaded(caller)
    assert.equal(await reads(caller, id), true)
    assert.equal(await reads(caller, await uploaded(ada)), false)
  })

  it('send their events to who reaches all of them', async () => {
    const subscription = { url: 'https://example.com/', events: ['file.created'] }
    const refused = await ada.post('/api/webhooks/subscriptions', subscription)
    const { body: permissions } = await admin.get('/api/permissions')
    assert.ok(permissions.some(({ name }: { name: string }) => name === 'file:all'))
    assert.equal(refused.status, 403, refused.text)
    const taken = await admin.post('/api/webhooks/subscriptions', subscription)
    assert.equal(taken.status, 201, taken.text)
  })
})
