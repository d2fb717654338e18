/** Signs requests to S3 (AWS Signature Version 4, in the header `Authorization`). */
import { createHmac, hash } from 'node:crypto'

export interface S3Credentials {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Only temporary credentials have a token. */
  sessionToken?: string | null
}

export interface UnsignedRequest {
  method: string
  /** The address, with its path encoded as it is sent. */
  url: URL
  /** The headers, with names in lower case. `signedHeaders` adds `host` and those of Amazon. */
  headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hex. */
  bodyHash: string
}

const algorithm = 'AWS4-HMAC-SHA256'
const service = 's3'

/** @returns all headers of the signed request */
export function signedHeaders(
  { method, url, headers, bodyHash }: UnsignedRequest,
  { region, accessKeyId, secretAccessKey, sessionToken = null }: S3Credentials,
  date: Date,
): Record<string, string> {
  const moment = date.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = moment.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': moment,
    ...(sessionToken !== null && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(all).toSorted()
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${all[name]?.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = [algorithm, moment, scope, hash('sha256', canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(keyed, `AWS4${secretAccessKey}`)
  const signature = keyed(key, text).toString('hex')
  const authorization = `${algorithm} Credential=${accessKeyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { ...all, authorization }
}

/** Encodes like `encodeURIComponent`, and also the characters that only AWS encodes. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`)
    .toSorted()
    .join('&')
}

function keyed(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
