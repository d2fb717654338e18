/** Keeps files in a bucket of S3, or of a store that speaks its protocol, as `<prefix>/<tenant>/<id>`. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ByteRange, FileKey, FileStore, LocalFile } from '../../core/file-store.ts'
import { isUuid } from '../../core/id.ts'
import { contentName, folderName } from './content-name.ts'
import type { AccessKeySource } from './credentials.ts'
import { type S3Access, type S3Request, sendToS3 } from './s3-client.ts'
import { encodeSegment } from './signature-v4.ts'
import { asUnavailable } from './unavailable.ts'
import { parseXml, textOf } from './xml.ts'

export interface S3Options {
  /** `s3://<bucket>/<prefix>?region=…&endpoint=…&style=…` */
  url: URL
  source: AccessKeySource
}

const defaultRegion = 'us-east-1'

export function regionOf(url: URL): string {
  return url.searchParams.get('region') ?? defaultRegion
}

/** The most sweeps of an erased tenant. Usually the first removes all contents, and the second finds none. */
const maxSweeps = 3

export class S3Store implements FileStore {
  readonly #access: S3Access
  /** The address of the bucket, with a slash at the end. */
  readonly #bucket: string
  /** The prefix of all keys, with a slash at the end; or empty. */
  readonly #prefix: string

  constructor({ url, source }: S3Options) {
    const prefix = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '')
    this.#access = { region: regionOf(url), source }
    this.#bucket = bucketAddress(url)
    this.#prefix = prefix === '' ? '' : `${prefix}/`
  }

  async put(key: FileKey, file: LocalFile): Promise<void> {
    await this.#requestText({ method: 'PUT', url: this.#urlOf(key), body: file })
  }

  async open(key: FileKey, { start, end }: ByteRange): Promise<AsyncIterableIterator<Uint8Array>> {
    const headers = { range: `bytes=${start}-${end}` }
    const request = { method: 'GET', url: this.#urlOf(key), headers } as const
    const { response, skipped } = await asUnavailable(async () => {
      const found = await this.#send(request)
      return { response: found, skipped: skippedBytes(found, start) }
    })
    return part(response, skipped, end + 1 - start)
  }

  async remove(key: FileKey): Promise<boolean> {
    await this.#requestText({ method: 'DELETE', url: this.#urlOf(key) })
    return true
  }

  async removeTenant(tenantId: string): Promise<void> {
    // Only an empty listing shows that no content is left.
    for (let sweeps = 0; sweeps < maxSweeps; sweeps++) if ((await this.#removeListed(tenantId)) === 0) return
    await asUnavailable(() => Promise.reject(new Error(`The store still lists contents of ${tenantId}.`)))
  }

  /** @returns how many contents the store has listed */
  async #removeListed(tenantId: string): Promise<number> {
    const prefix = encodeSegment(this.#folderOf(tenantId))
    let found = 0
    for (let after = ''; ; ) {
      const url = new URL(this.#bucket)
      url.search = `encoding-type=url&list-type=2&prefix=${prefix}&start-after=${encodeSegment(after)}`
      const listing = await this.#requestText({ method: 'GET', url })
      const keys = await asUnavailable(() => keysIn(listing, after))
      const last = keys.at(-1)
      if (last === undefined) return found
      const ids = keys.map((key) => key.slice(key.lastIndexOf('/') + 1)).filter(isUuid)
      for (const id of ids) await this.remove({ tenantId, id })
      found += ids.length
      after = last
    }
  }

  #folderOf(tenantId: string): string {
    return `${this.#prefix}${folderName(tenantId)}/`
  }

  #urlOf(key: FileKey): URL {
    const path = `${this.#prefix}${contentName(key)}`.split('/').map(encodeSegment).join('/')
    return new URL(`${this.#bucket}${path}`)
  }

  #requestText(request: S3Request): Promise<string> {
    return asUnavailable(async () => text(await this.#send(request)))
  }

  #send(request: S3Request): Promise<IncomingMessage> {
    return sendToS3(request, this.#access)
  }
}

/**
 * Amazon expects the bucket in the name of the host, and many other stores in the path.
 * @returns the address with a slash at the end
 */
function bucketAddress(url: URL): string {
  const { hostname: bucket, searchParams } = url
  const endpoint = searchParams.get('endpoint')
  const style = searchParams.get('style') ?? (endpoint === null ? 'virtual' : 'path')
  const host = (endpoint ?? `https://s3.${regionOf(url)}.amazonaws.com`).replace(/\/+$/, '')
  return style === 'path' ? `${host}/${bucket}/` : `${host.replace('://', `://${bucket}.`)}/`
}

/**
 * @param after the last key of the listing before
 * @throws Error for an answer that is not a listing, or repeats the last one, because contents could be missed
 */
async function keysIn(answer: string, after: string): Promise<string[]> {
  const listing = await parseXml(answer)
  const contents = listing.children.filter(({ name }) => name === 'Contents')
  const keys = contents.flatMap((content) => textOf(content, 'Key') ?? [])
  const isWhole = keys.length > 0 || textOf(listing, 'IsTruncated') !== 'true'
  if (listing.name !== 'ListBucketResult' || !isWhole || keys.length !== contents.length)
    throw new Error('The store does not answer with a listing.')
  const isEncoded = textOf(listing, 'EncodingType') === 'url'
  const decoded = isEncoded ? keys.map((key) => decodeURIComponent(key.replaceAll('+', ' '))) : keys
  if (decoded.at(-1) === after) throw new Error('The store lists the same contents again.')
  return decoded
}

/** @returns how many bytes come before the range, as a store may ignore `Range` @throws Error for another range */
function skippedBytes(response: IncomingMessage, start: number): number {
  if (response.statusCode === 200) return start
  const range = response.headers['content-range'] ?? ''
  if (range.startsWith(`bytes ${start}-`)) return 0
  response.destroy()
  throw new Error(`The store answers ${response.statusCode} with the range "${range}".`)
}

/** @returns `length` bytes of the response after the skipped ones @throws Error for a response with fewer bytes */
function part(response: IncomingMessage, skipped: number, length: number): AsyncIterableIterator<Uint8Array> {
  const chunks = response.iterator() as AsyncIterableIterator<Uint8Array> // it gives bytes, because no encoding is set
  let toSkip = skipped
  let left = length
  const bytes: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => bytes,
    next: async () => {
      while (left > 0) {
        const { done, value } = await chunks.next()
        if (done === true) throw new Error('The store has ended the content too early.')
        const chunk = value.subarray(toSkip, toSkip + left)
        toSkip -= Math.min(toSkip, value.length)
        left -= chunk.length
        if (chunk.length > 0) return { done: false, value: chunk }
      }
      // If the response was read to its end, its connection serves further requests.
      const isWhole = response.statusCode === 206 && (await chunks.next()).done === true
      if (!isWhole) response.destroy()
      return { done: true, value: undefined }
    },
    return: async () => {
      response.destroy() // an iterator that was not started would leave the response open
      return { done: true, value: undefined }
    },
  }
  return bytes
}
