/** What needs no service: types by content, ranges, forms, and the signature of requests to S3. */
import assert from 'node:assert/strict'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checkOf, fileTypes, type KnownFileType } from '../../src/files/content/type.ts'
import { readRange } from '../../src/files/range.ts'
import { emptyHash } from '../../src/files/store/s3-client.ts'
import { signedHeaders } from '../../src/files/store/signature-v4.ts'
import { readFilePart } from '../../src/files/upload/form.ts'
import { pdf, png, videos, zip } from '../support/files/contents.ts'
import { uniqueName } from '../support/service.ts'

const office = 'application/vnd.openxmlformats-officedocument'

describe('The check of a content', () => {
  const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')])
  const samples: Record<string, Buffer> = {
    'image/png': png,
    'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]),
    'image/gif': Buffer.from('GIF89a...'),
    'image/webp': webp,
    'application/pdf': pdf(),
    ...videos,
    [`${office}.wordprocessingml.document`]: zip('[Content_Types].xml', 'word/document.xml'),
    [`${office}.spreadsheetml.sheet`]: zip('[Content_Types].xml', 'xl/workbook.xml'),
    [`${office}.presentationml.presentation`]: zip('[Content_Types].xml', 'ppt/presentation.xml'),
    'application/zip': zip('a.txt'),
  }

  const texts: readonly string[] = ['text/plain', 'text/csv', 'text/markdown', 'application/json']
  const acceptedOf = async (content: Buffer, types: readonly string[]) => {
    const found: string[] = []
    for (const type of types as KnownFileType[]) if (await isOf(type, [content])) found.push(type) // of the table
    return found.toSorted()
  }

  it('accepts each sample as its own type, and as no other but archives', async () => {
    const others = Object.keys(fileTypes).filter((type) => !texts.includes(type))
    for (const [type, content] of Object.entries(samples)) {
      const expected = type.startsWith(office) ? ['application/zip', type] : [type]
      assert.deepEqual(await acceptedOf(content, others), expected.toSorted(), type)
    }
  })

  it('accepts a text as any of the texts, and as nothing else', async () => {
    assert.deepEqual(await acceptedOf(Buffer.from('name;Größe\n'), Object.keys(fileTypes)), texts.toSorted())
  })

  it('does not depend on how the content is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Buffer>(png, pdf('Größe'), Buffer.from('a\u20acb'), Buffer.from([0xe2, 0x82]), webp),
        fc.constantFrom<KnownFileType>('image/png', 'application/pdf', 'text/plain', 'image/webp'),
        fc.integer({ min: 1, max: 7 }),
        async (content, type, size) =>
          assert.equal(await isOf(type, cut(content, size)), await isOf(type, [content])),
      ),
      { numRuns: 60 },
    )
  })
})

async function isOf(type: KnownFileType, chunks: readonly Buffer[]): Promise<boolean> {
  const check = checkOf(type)
  if (!chunks.every((chunk) => check.take(chunk))) return false
  const path = join(tmpdir(), uniqueName('content'))
  const content = Buffer.concat(chunks)
  await writeFile(path, content)
  const handle = await open(path)
  try {
    return await check.finish(handle, content.length)
  } finally {
    await handle.close()
    await rm(path)
  }
}

function cut(content: Buffer, size: number): Buffer[] {
  const count = Math.ceil(content.length / size)
  return Array.from({ length: count }, (_each, place) => content.subarray(place * size, (place + 1) * size))
}

describe('A form', () => {
  it('gives its first file, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'ü', ' ', '"', ';', '%') }),
        fc.integer({ min: 1, max: 40 }),
        async (content, name, size) => {
          const form = new FormData()
          form.append('note', 'first')
          form.append('file', new Blob([Buffer.from(content)], { type: 'image/png' }), name)
          form.append('after', 'the file')
          const request = new Request('http://x', { method: 'POST', body: form })
          const boundary = /boundary=(.*)$/.exec(request.headers.get('content-type') ?? '')?.[1] ?? ''
          const body = Buffer.from(await request.arrayBuffer())
          const part = await readFilePart(streamOf(cut(body, size)), boundary)
          assert.deepEqual([part.name, part.type], [name, 'image/png'])
          assert.ok((await buffer(part.content)).equals(content))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('is refused without a file, without an end, or with endless headers, fields or text before them', async () => {
    const read = async (text: string) =>
      buffer((await readFilePart(streamOf([Buffer.from(text)]), 'b')).content)
    const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n'
    await assert.rejects(
      read('--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nx\r\n--b--\r\n'),
      /has no file/,
    )
    await assert.rejects(read(`${head}\r\nx`), /incomplete/)
    await assert.rejects(read(`${head}${'x: y\r\n'.repeat(5000)}`), /too long/)
    await assert.rejects(read(`${'x'.repeat(70_000)}\r\n${head}\r\nx\r\n--b--`), /too long/)
    const field = '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nx\r\n'
    await assert.rejects(read(`${field.repeat(21)}${head}\r\nx\r\n--b--`), /has no file/)
    await assert.rejects(read('--b\r\n'.repeat(5000)), /too long/)
    assert.equal((await read(`${field.repeat(20)}${head}\r\nx\r\n--b--`)).toString(), 'x')
    assert.equal((await read(`${head}\r\nx\r\n--b--`)).toString(), 'x')
    assert.equal((await read(`${head}\r\n\r\n--b--`)).toString(), '')
  })
})

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

describe('A range', () => {
  it('is within the content, as RFC 9110 has it', () => {
    const cases: [string, unknown][] = [
      ['bytes=0-0', { start: 0, end: 0 }],
      ['bytes=5-', { start: 5, end: 9 }],
      ['bytes=5-99', { start: 5, end: 9 }],
      ['bytes=-3', { start: 7, end: 9 }],
      ['bytes=-99', { start: 0, end: 9 }],
      ['bytes=-0', 'unsatisfiable'],
      ['bytes=10-', 'unsatisfiable'],
      ['bytes=5-4', null],
      ['bytes=0-1,3-4', null],
      ['lines=0-1', null],
      ['bytes=-', null],
    ]
    for (const [header, expected] of cases) assert.deepEqual(readRange(header, 10), expected, header)
  })
})

/** The examples of the documentation: "Authenticating Requests: Using the Authorization Header". */
describe('The signature of a request to S3', () => {
  const credentials = {
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const date = new Date('2013-05-24T00:00:00Z')
  const bucket = 'https://examplebucket.s3.amazonaws.com'
  const bodyHash = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
  const put = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
  const examples: [string, string, Record<string, string>, string, string][] = [
    [
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      emptyHash,
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PUT',
      '/test%24file.text',
      put,
      bodyHash,
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'GET',
      '/?lifecycle=',
      {},
      emptyHash,
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET',
      '/?max-keys=2&prefix=J',
      {},
      emptyHash,
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ]
  for (const [method, path, headers, hash, signature] of examples) {
    it(`of ${method} ${path} is that of the documentation`, () => {
      const unsigned = { method, url: new URL(`${bucket}${path}`), headers, bodyHash: hash }
      const { authorization = '' } = signedHeaders(unsigned, credentials, date)
      assert.equal(authorization.split('Signature=')[1], signature)
    })
  }
})
