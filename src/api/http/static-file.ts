/** Sends the files of the service's pages. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../core/errors.ts'
import { addVary, setCoding } from './reply/compression.ts'
import { preferredCoding } from './reply/content-coding.ts'
import { contentTag, isUnchanged } from './reply/etag.ts'
import { inChunks, slices } from './reply/send-body.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** The 'self' of connect-src is also the WebSocket of subscriptions: same host, ws for http (CSP Level 3). */
const pagePolicy = (embeddedBy: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "style-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    `frame-ancestors ${embeddedBy.length === 0 ? "'none'" : embeddedBy.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** All requests share the bytes of a file. */
export interface Content {
  bytes: Buffer
  tag: string
  /** Compressed with the most effort when the package was built; `null` for what is compressed for each reply. */
  brotli: Buffer | null
}

/**
 * @param headers further headers of each reply
 * @param edit changes the bytes of the file once, after they are read
 * @returns a handler that reads the file at its first request; a page may be embedded by the given origins alone
 */
export function fileSender(
  file: URL,
  headers: Readonly<Record<string, string>> = {},
  edit: (bytes: Buffer) => Buffer = (bytes) => bytes,
): (request: FastifyRequest, reply: FastifyReply, embeddedBy?: readonly string[]) => Promise<FastifyReply> {
  const type = extname(file.pathname)
  let content: Content | null = null
  return async (request, reply, embeddedBy = []) => {
    content ??= {
      ...contentOf(edit(await readFile(file).catch(refuseUnbuilt))),
      brotli: type === '.html' ? null : await readFile(new URL(`${file.href}.br`)).catch(() => null),
    }
    if (type === '.html') {
      reply.header('content-security-policy', pagePolicy(embeddedBy))
      // The header would forbid what frame-ancestors in the policy allows.
      if (embeddedBy.length > 0) reply.removeHeader('x-frame-options')
    }
    return sendContent(request, reply.headers(headers), type, content)
  }
}

/** Bundled files can be missing: they are not built without the development dependencies. */
function refuseUnbuilt(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'ENOENT') throw cause
  const text = 'This page is not built. In a checkout with all dependencies, "npm run build" does it.'
  throw new ServiceError('notFound', text, { cause })
}

export function contentOf(bytes: Buffer): Content {
  return { bytes, tag: contentTag(bytes), brotli: null }
}

/** @param type the ending of the file's name */
export function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { bytes, tag, brotli }: Content,
): FastifyReply {
  reply.header('etag', tag)
  if (isUnchanged(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.header('content-type', types[type] ?? 'application/octet-stream')
  const coded = takesBrotli(request) ? brotli : null
  if (coded !== null) {
    addVary(reply)
    setCoding(reply, 'br')
  }
  const sent = coded ?? bytes
  reply.header('content-length', sent.length)
  return reply.send(inChunks(slices(sent)))
}

/** Whether the client gets the compressed file. The reply to HEAD has no `Content-Encoding`, as for all other replies. */
function takesBrotli({ server, method, headers }: FastifyRequest): boolean {
  return (
    server.compresses === true && method === 'GET' && preferredCoding(headers['accept-encoding']) === 'br'
  )
}
