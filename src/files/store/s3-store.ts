/** Keeps files in a bucket of S3, or of a store that speaks its protocol, as `<prefix>/<tenant>/<id>`. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ByteRange, FileKey, FileStore, LocalFile } from '../../core/file-store.ts'
import { isUuid } from '../../core/id.ts'
import { contentName, folderName } from './content-name.ts'
import { type S3Request, sendToS3 } from './s3-client.ts'
import { encodeSegment, type S3Credentials } from './signature-v4.ts'
import { asUnavailable } from './unavailable.ts'

export interface S3Options {
  /** `s3://<bucket>/<prefix>?region=…&endpoint=…` */
  url: URL
  accessKeyId: string
  secretAccessKey: string
}

const defaultRegion = 'us-east-1'

export class S3Store implements FileStore {
  readonly #credentials: S3Credentials
  /** The address of the bucket, with its slash. */
  readonly #bucket: string
  /** With its slash, or empty. */
  readonly #prefix: string

  constructor({ url, accessKeyId, secretAccessKey }: S3Options) {
    const region = url.searchParams.get('region') ?? defaultRegion
    const endpoint = url.searchParams.get('endpoint')
    const prefix = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '')
    this.#credentials = { region, accessKeyId, secretAccessKey }
    // Amazon wants the bucket in the name of the host, and other stores do not know it there.
    this.#bucket =
      endpoint === null
        ? `https://${url.hostname}.s3.${region}.amazonaws.com/`
        : `${endpoint.replace(/\/+$/, '')}/${url.hostname}/`
    this.#prefix = prefix === '' ? '' : `${prefix}/`
  }

  async put(key: FileKey, file: LocalFile): Promise<void> {
    await this.#ask({ method: 'PUT', url: this.#urlOf(key), body: file })
  }

  async open(key: FileKey, { start, end }: ByteRange): Promise<AsyncIterableIterator<Uint8Array>> {
    const headers = { range: `bytes=${start}-${end}` }
    const request = { method: 'GET', url: this.#urlOf(key), headers } as const
    const response = await asUnavailable(() => this.#send(request))
    const pieces = response.iterator() as AsyncIterableIterator<Uint8Array> // of bytes: it has no encoding
    const bytes: AsyncIterableIterator<Uint8Array> = {
      [Symbol.asyncIterator]: () => bytes,
      next: () => pieces.next(),
      return: async () => {
        response.destroy() // an iterator that was not begun leaves it open
        return { done: true, value: undefined }
      },
    }
    return bytes
  }

  async remove(key: FileKey): Promise<boolean> {
    await this.#ask({ method: 'DELETE', url: this.#urlOf(key) })
    return true
  }

  async removeTenant(tenantId: string): Promise<void> {
    const prefix = encodeSegment(this.#folderOf(tenantId))
    for (let after = ''; ; ) {
      const url = new URL(this.#bucket)
      url.search = `list-type=2&prefix=${prefix}&start-after=${encodeSegment(after)}`
      const page = await this.#ask({ method: 'GET', url })
      const keys = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
      const last = keys.at(-1)
      if (last === undefined) return
      const ids = keys.map((key) => key.slice(key.lastIndexOf('/') + 1))
      for (const id of ids.filter(isUuid)) await this.remove({ tenantId, id })
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

  #ask(request: S3Request): Promise<string> {
    return asUnavailable(async () => text(await this.#send(request)))
  }

  #send(request: S3Request): Promise<IncomingMessage> {
    return sendToS3(request, this.#credentials, new Date())
  }
}
