import { isNotModified } from '../api/http/reply/condition.ts'
import { isListed } from '../api/http/reply/etag.ts'
import { codedBody, isPlain } from '../api/http/request/body.ts'
import type { Context } from '../core/context.ts'
import { asTenant } from '../core/create-context.ts'
import { invalidField, refusal, ServiceError } from '../core/errors.ts'
import { JsonText, Reply, type Route, type RouteInput, route } from '../core/feature/route.ts'
import { isInline } from './content/type.ts'
import { openContent } from './download.ts'
import { deleteFile, describeFile, getFile, uploadFile } from './file.ts'
import { isLinkValid } from './link.ts'
import { readRange } from './range.ts'
import { FileReply, LinkQuery, type StoredFile, UploadQuery } from './schema.ts'
import { readFilePart } from './upload/form.ts'

const reading = { tag: 'Files', access: 'file:read' } as const
const writing = { tag: 'Files', access: 'file:write', impersonation: 'allowed' } as const
const one = { path: '/api/files/:id', errors: ['notFound'] } as const
const bytes = {
  bytesReply: 'The content',
  headers: ['etag'],
  errors: ['notFound', 'preconditionFailed', 'rangeNotSatisfiable', 'tooManyRequests'],
} as const

export const fileRoutes: Route[] = [
  route({
    ...writing,
    method: 'POST',
    path: '/api/files',
    summary: 'Upload a file',
    description:
      'The body is the content, with its type in `Content-Type`, or a form (`multipart/form-data`) whose first file is stored. The content must be of the type. A file that no row names is removed after a day, or what the settings say. Publishes the event `file.created`.',
    query: UploadQuery,
    streamedBody: { description: 'The content of the file, or a form with it' },
    status: 201,
    reply: FileReply,
    headers: ['location'],
    errors: ['invalid', 'tooLarge', 'unsupportedMediaType', 'tooManyRequests'],
    handle: async (context, { query, headers, content }) => {
      const upload = await readUpload(query.name, headers, content)
      const file = await uploadFile(context, upload)
      return new Reply(file, { location: `/api/files/${file.id}` })
    },
  }),
  route({
    ...reading,
    ...one,
    ...bytes,
    method: 'GET',
    summary: 'Read a file',
    description: 'Answers `Range` with 206 and a part of the content.',
    handle: async (context, { path, headers }) => sendFile(context, await getFile(context, path.id), headers),
  }),
  route({
    ...reading,
    ...one,
    method: 'GET',
    path: '/api/files/:id/link',
    summary: 'Get a link to a file',
    description: 'The link needs no token, and expires.',
    impersonation: 'refused', // the link may outlive the access
    reply: FileReply,
    handle: (context, { path }) => describeFile(context, path.id),
  }),
  route({
    ...writing,
    ...one,
    method: 'DELETE',
    summary: 'Delete a file',
    description: 'A file that a row names is not deleted. Publishes the event `file.deleted`.',
    status: 204,
    errors: ['invalid', 'notFound'],
    handle: (context, { path }) => deleteFile(context, path.id),
  }),
  route({
    ...bytes,
    tag: 'Files',
    access: 'anonymous',
    method: 'GET',
    path: '/files/:id',
    name: 'readLinkedFile',
    summary: 'Read a file by its link',
    description: 'The signature is the permission: the link comes from a row, or from the file.',
    query: LinkQuery,
    handle: async (context, { path, query, headers }) => {
      const { id = '' } = path
      const { isActive } = context.tenant
      if (!isActive || !isLinkValid(context, { id, ...query })) throw refusal('linkExpired')
      // Pages of other origins may show the file, such as an image.
      return sendFile(context, await getFile(asTenant(context), id), headers, {
        'cross-origin-resource-policy': 'cross-origin',
      })
    },
  }),
]

type Headers = RouteInput<never, never>['headers']

async function readUpload(name: string | undefined, headers: Headers, content: AsyncIterable<Uint8Array>) {
  if (!isPlain(headers)) throw codedBody('A file')
  const given = String(headers['content-type'] ?? '')
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim())
  const length = headers['content-length']
  const announced = length === undefined ? null : Number(length)
  if (type.toLowerCase() === 'multipart/form-data') {
    const boundary = /^boundary="?([^"]{1,70})"?$/i.exec(
      parameters.find((parameter) => /^boundary=/i.test(parameter)) ?? '',
    )
    if (boundary?.[1] === undefined) throw refusal('formWithoutBoundary')
    const part = await readFilePart(content, boundary[1])
    // A form is longer than its file, whose length it does not tell.
    return { ...part, name: name ?? part.name, announced: null }
  }
  if (name === undefined) throw invalidField('name', 'is required: /api/files?name=…', 'required')
  return { name, type, content, announced }
}

async function sendFile(
  context: Context,
  file: StoredFile,
  headers: Headers,
  furtherHeaders: Record<string, string> = {},
): Promise<Reply> {
  const { size } = file
  const etag = `"${file.sha256}"`
  const common = { etag, ...safeHeaders(file), ...furtherHeaders }
  const match = headers['if-match']
  // The comparison is strong, because clients put the parts of a content together.
  if (match !== undefined && !isListed(String(match), etag)) throw new ServiceError('preconditionFailed')
  if (isNotModified(headers, { etag })) return new Reply(null, common)
  const condition = headers['if-range']
  const range =
    condition === undefined || condition === etag ? readRange(headers['range']?.toString(), size) : null
  if (range === 'unsatisfiable')
    throw new ServiceError('rangeNotSatisfiable', undefined, {
      headers: { 'content-range': `bytes */${size}` },
    })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const content = await openContent(context, file, { start, end })
  const all = {
    ...common,
    'content-length': String(end + 1 - start),
    ...(range !== null && { 'content-range': `bytes ${start}-${end}/${size}` }),
  }
  return new Reply(new JsonText(content, contentType(file)), all, range === null ? null : 206)
}

/** These headers keep browsers from running scripts, whatever the content is. */
function safeHeaders({ name, type }: StoredFile): Record<string, string> {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
  return {
    'accept-ranges': 'bytes',
    'content-disposition': `${isInline(type) ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}

function contentType({ type }: StoredFile): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
