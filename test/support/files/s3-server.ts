/** A store with the protocol of S3 on this machine. It verifies every signature with code of its own. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const accessKeyId = 'test-key'
const secretAccessKey = 'test-secret/with+signs'
const region = 'eu-test-1'
const bucket = 'tenantry-test'

export interface StoreKey {
  secretAccessKey: string
  /** Of a temporary key. */
  sessionToken?: string
  /** Whether the key is answered with `ExpiredToken`. */
  isExpired?: boolean
}

export interface S3Server {
  /** The settings of a service that uses it. */
  settings: Record<string, string>
  objects: Map<string, Buffer>
  /** The keys that it knows, by their ids. */
  keys: Map<string, StoreKey>
  /** Refused requests, each with its reason. */
  refused: string[]
  /** Answers nothing but 500 while it is set. */
  isAway: boolean
  /** Answers with the whole object while it is set. */
  ignoresRanges: boolean
  /** Answers 206 with a range that nobody has asked for while it is set. */
  sendsOtherRanges: boolean
  /** In place of each listing. */
  listing: string | null
  /** Acknowledges removals without them while it is set. */
  keepsAll: boolean
  /** What happens to the next requests in place of an answer. */
  faults: ('slow down' | 'reset' | 'redirect')[]
  close(): Promise<void>
}

export async function startS3Server(): Promise<S3Server> {
  const server: Omit<S3Server, 'settings' | 'close'> = {
    objects: new Map(),
    keys: new Map([[accessKeyId, { secretAccessKey }]]),
    refused: [],
    isAway: false,
    ignoresRanges: false,
    sendsOtherRanges: false,
    keepsAll: false,
    listing: null,
    faults: [],
  }
  const http = createServer((request, response) => {
    void answer(server, request, response)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo // it listens on TCP
  return Object.assign(server, {
    settings: {
      FILES_URL: `s3://${bucket}/kept here & there?region=${region}&endpoint=http://127.0.0.1:${port}`,
      FILES_ACCESS_KEY_ID: accessKeyId,
      FILES_SECRET_ACCESS_KEY: secretAccessKey,
    },
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  })
}

async function answer(
  server: Omit<S3Server, 'settings' | 'close'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (server.isAway) return void response.writeHead(500).end('away')
  switch (server.faults.shift()) {
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'slow down':
      return void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    case 'redirect':
      return void response
        .writeHead(307, { location: `http://localhost:${request.socket.localPort}${request.url}` })
        .end()
  }
  const fault = faultOf(server.keys, request, body)
  if (fault !== null) {
    server.refused.push(`${request.method} ${request.url}: ${fault}`)
    return void response.writeHead(fault.includes('ExpiredToken') ? 400 : 403).end(fault)
  }
  answerSigned(server, request, { response, body })
}

function answerSigned(
  server: Omit<S3Server, 'settings' | 'close'>,
  request: IncomingMessage,
  { response, body }: { response: ServerResponse; body: Buffer },
): void {
  const url = new URL(request.url ?? '/', 'http://store')
  const key = keyOf(url, request.headers.host ?? '')
  if (request.method === 'PUT') {
    server.objects.set(key, body)
    response.writeHead(200).end()
  } else if (request.method === 'DELETE') {
    if (!server.keepsAll) server.objects.delete(key)
    response.writeHead(204).end()
  } else if (key === '')
    response.writeHead(200).end(server.listing ?? listing(server.objects, url.searchParams))
  else send(response, server.objects.get(key), rangeFor(server, request.headers.range ?? ''))
}

function rangeFor(
  { ignoresRanges, sendsOtherRanges }: Pick<S3Server, 'ignoresRanges' | 'sendsOtherRanges'>,
  asked: string,
): string {
  if (ignoresRanges) return ''
  return sendsOtherRanges ? 'bytes=0-9' : asked
}

/** The bucket is in the name of the host, or in the path. */
function keyOf({ pathname }: URL, host: string): string {
  const folder = host.startsWith(`${bucket}.`) ? '/' : `/${bucket}/`
  return decodeURIComponent(pathname).replace(folder, '')
}

function send(response: ServerResponse, object: Buffer | undefined, range: string): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  if (object === undefined) response.writeHead(404).end('<Code>NoSuchKey</Code>')
  else if (start === undefined) response.writeHead(200).end(object)
  else
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${end}/${object.length}` })
      .end(object.subarray(Number(start), Number(end) + 1))
}

/** Two keys at a time. */
function listing(objects: ReadonlyMap<string, Buffer>, parameters: URLSearchParams): string {
  const prefix = parameters.get('prefix') ?? ''
  const after = parameters.get('start-after') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const isEncoded = parameters.get('encoding-type') === 'url'
  const written = (key: string) => (isEncoded ? encodeURIComponent(key) : key.replaceAll('&', '&amp;'))
  const contents = keys.slice(0, 2).map((key) => `<Contents><Key>${written(key)}</Key></Contents>`)
  if (isEncoded) contents.push('<EncodingType>url</EncodingType>')
  return `<ListBucketResult>${contents.join('')}</ListBucketResult>`
}

/** @returns why the signature is not valid, or `null` */
function faultOf(
  keys: ReadonlyMap<string, StoreKey>,
  { method, url = '', headers, rawHeaders }: IncomingMessage,
  body: Buffer,
): string | null {
  const authorization =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, credential = '', signed = '', signature] = authorization.exec(headers.authorization ?? '') ?? []
  const bodyHash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== bodyHash) return 'the hash is not that of the body'
  const moment = String(headers['x-amz-date'])
  const [id, day, where, service, end] = credential.split('/')
  const known = keys.get(String(id))
  if (known === undefined || where !== region || service !== 's3' || end !== 'aws4_request')
    return 'credential'
  const keyFault = faultOfKey(known, headers['x-amz-security-token'])
  if (keyFault !== null) return keyFault
  if (day !== moment.slice(0, 8)) return 'the day is not that of the date'
  const sent = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2)
    sent.set(`${rawHeaders[at]}`.toLowerCase(), `${rawHeaders[at + 1]}`)
  for (const name of sent.keys())
    if ((name.startsWith('x-amz-') || name === 'host') && !signed.split(';').includes(name))
      return `${name} is not signed`
  const text = textToSign({ method, url }, sent, { signed, bodyHash, moment })
  let key = Buffer.from(`AWS4${known.secretAccessKey}`)
  for (const part of [day, where, service, end, text])
    key = createHmac('sha256', key).update(String(part)).digest()
  return key.toString('hex') === signature ? null : 'the signature differs'
}

function textToSign(
  { method, url }: { method: string | undefined; url: string },
  sent: ReadonlyMap<string, string>,
  { signed, bodyHash, moment }: { signed: string; bodyHash: string; moment: string },
): string {
  const [path, query = ''] = url.split('?')
  let canonical = `${method}\n${path}\n${query.split('&').sort().join('&')}\n`
  for (const name of signed.split(';')) canonical += `${name}:${sent.get(name)}\n`
  canonical += `\n${signed}\n${bodyHash}`
  const hashed = createHash('sha256').update(canonical).digest('hex')
  return `AWS4-HMAC-SHA256\n${moment}\n${moment.slice(0, 8)}/${region}/s3/aws4_request\n${hashed}`
}

function faultOfKey({ isExpired, sessionToken }: StoreKey, given: unknown): string | null {
  if (isExpired === true) return '<Code>ExpiredToken</Code>'
  return given === sessionToken ? null : 'the session token differs'
}
