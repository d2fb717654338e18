/** Files as browsers, command lines and libraries send them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { pdf, png, videos, zip } from '../support/files/contents.ts'
import { sharedService, startService, type TestService } from '../support/service.ts'
import { download, upload } from './scene.ts'

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])
const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')

interface Part {
  disposition: string
  type?: string
  content?: Uint8Array | string
}

onEitherDatabase('Files of clients', (database) => {
  let service: TestService
  let user: Client
  before(async () => {
    service = await sharedService(database)
    user = (await service.newTenant()).user
  })
  after(() => service.stop())

  const sendForm = (...parts: Part[]): Promise<Answer> => {
    const chunks = parts.flatMap(({ disposition, type = 'application/pdf', content = pdf() }) => [
      Buffer.from(
        `--edge\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
    const body = Buffer.concat([...chunks, Buffer.from('--edge--\r\n')])
    return user.send('POST', '/api/files', body, { 'content-type': 'multipart/form-data; boundary=edge' })
  }

  it('are the first of a form that is not an empty input of a browser', async () => {
    const empty = { disposition: 'name="one"; filename=""', type: 'application/octet-stream', content: '' }
    const made = await sendForm(empty, empty, { disposition: 'name="two"; filename="second.pdf"' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.name, made.body.size], ['second.pdf', pdf().length])
    assertError(await sendForm(empty), 400, 'The form has no file.')
    assertError(await sendForm({ ...empty, content: 'x' }), 400)
  })

  for (const [parameters, name] of [
    [`filename="plain.pdf"; filename*=UTF-8''%C3%9C.pdf`, 'Ü.pdf'],
    [`filename*=utf-8'de'%C3%9C.pdf; filename="plain.pdf"`, 'Ü.pdf'],
    [`filename*=ISO-8859-1''%DC.pdf`, 'Ü.pdf'],
    [`filename="plain.pdf"; filename*=UTF-8''%FF.pdf`, 'plain.pdf'],
    [`filename="plain.pdf"; filename*=unknown''%DC.pdf`, 'plain.pdf'],
    [`filename="a; filename*=UTF-8''b.pdf"`, `a; filename*=UTF-8''b.pdf`],
    [`filename="a\\"b\\\\c.pdf"`, 'c.pdf'],
    [`filename="a%22b.pdf"`, 'a"b.pdf'],
    [`FileName=token.pdf`, 'token.pdf'],
    [`filename = "spaced.pdf"`, 'spaced.pdf'],
    [`filename="C:\\fakepath\\a.pdf"`, 'a.pdf'],
  ] as const) {
    it(`have the name that a form gives them with ${parameters}`, async () => {
      const made = await sendForm({ disposition: `name="file"; ${parameters}` })
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.name, name)
    })
  }

  for (const [given, content, type] of [
    ['application/x-zip-compressed', zip('a.txt'), 'application/zip'],
    ['image/jpg', jpeg, 'image/jpeg'],
    ['image/pjpeg', jpeg, 'image/jpeg'],
    ['image/x-png', png, 'image/png'],
    ['application/vnd.ms-excel', Buffer.from('a;b\n1;2\n'), 'text/csv'],
    ['application/csv', Buffer.from('a,b\n'), 'text/csv'],
    ['image/heic', heic, 'image/heic'],
    ['image/heif', heic, 'image/heif'],
    ['text/markdown; charset=UTF-8', Buffer.from('# Title\n'), 'text/markdown'],
    ['text/x-markdown', Buffer.from('# Title\n'), 'text/markdown'],
    ['application/x-pdf', pdf(), 'application/pdf'],
  ] as const) {
    it(`of the type ${given} are ${type}, by their content`, async () => {
      const made = await upload(user, content, { name: 'a', type: given })
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.type, type)
      assertError(await upload(user, Buffer.from([0, 1, 2, 3]), { name: 'a', type: given }), 415)
    })
  }

  it('are videos, by their content, where the setting says so', async () => {
    const type = 'video/mp4'
    assertError(await upload(user, videos[type], { name: 'a', type }), 415, /video\/mp4 are not accepted/)
    const taking = await startService(database, { FILES_VIDEO: 'true' })
    const sender = (await taking.newTenant()).user
    for (const [given, content] of [...Object.entries(videos), ['video/x-m4v', videos[type]] as const]) {
      const made = await upload(sender, content, { name: 'a', type: given })
      assert.deepEqual(
        [made.status, made.body.type],
        [201, given === 'video/x-m4v' ? type : given],
        made.text,
      )
      assertError(await upload(sender, heic, { name: 'a', type: given }), 415)
      const { headers } = await download(sender, `/api/files/${made.body.id}`)
      assert.match(headers.get('content-disposition') ?? '', /^attachment/)
    }
    await taking.stop()
  })

  it('are read with If-Match only while they are what the client has', async () => {
    const { id } = (await upload(user)).body
    const path = `/api/files/${id}`
    const tag = (await download(user, path)).headers.get('etag') ?? ''
    for (const header of [tag, '*', `"other", ${tag}`]) {
      assert.equal((await download(user, path, { 'if-match': header })).status, 200, header)
      const part = await download(user, path, { 'if-match': header, range: 'bytes=0-3' })
      assert.equal(part.status, 206, header)
    }
    for (const header of ['"other"', `W/${tag}`]) {
      assert.equal((await download(user, path, { 'if-match': header })).status, 412, header)
      assert.equal((await download(user, path, { 'if-match': header, range: 'bytes=0-3' })).status, 412)
    }
  })

  it('are refused without any content', async () => {
    assertError(await upload(user, Buffer.alloc(0)), 400, 'The file is empty.')
    assertError(
      await sendForm({ disposition: 'name="file"; filename="a.pdf"', content: '' }),
      400,
      'The file is empty.',
    )
  })
})
