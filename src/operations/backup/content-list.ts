/** The list of the files of tenants in a backup. `sha256sum --check` understands it as well. */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import { digestOf } from './file.ts'
import type { BackedUpContents } from './manifest.ts'

export const contentList = 'files.sha256'
export const contentFolder = 'files'

export interface ListedContent {
  /** The folder of the tenant: its case-folded id. */
  tenant: string
  id: string
  sha256: string
}

/** A line of the list. The pattern admits no name that leaves the folder. */
const linePattern =
  /^(?<sha256>[0-9a-f]{64}) {2}files\/(?<tenant>[a-z0-9][a-z0-9._-]*)\/(?<id>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** A path relative to the folder of the backup. */
export function pathInBackup({ tenant, id }: Omit<ListedContent, 'sha256'>): string {
  return join(contentFolder, tenant, id)
}

export class ContentListWriter {
  readonly #file: FileHandle
  readonly #digest = createHash('sha256')
  #count = 0
  #bytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(backup: string): Promise<ContentListWriter> {
    return new ContentListWriter(await open(join(backup, contentList), 'wx', 0o600))
  }

  /** To be called in the order of tenants, and of ids within a tenant. */
  async add({ sha256, tenant, id }: ListedContent, bytes: number): Promise<void> {
    const line = `${sha256}  ${contentFolder}/${tenant}/${id}\n`
    this.#digest.update(line)
    this.#count++
    this.#bytes += bytes
    await this.#file.writeFile(line)
  }

  /** Syncs the list to the disk. @returns what the manifest says of the list */
  async finish(): Promise<BackedUpContents> {
    await this.#file.sync()
    return { count: this.#count, bytes: this.#bytes, sha256: this.#digest.digest('hex') }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** @throws ServiceError `invalid` for a list that is missing or not the one of the manifest */
export async function verifyContentList(backup: string, { sha256 }: BackedUpContents): Promise<void> {
  const path = join(backup, contentList)
  const found = await digestOf(path).catch((cause: unknown) => {
    throw new ServiceError('invalid', `The backup is incomplete: ${path} cannot be read.`, { cause })
  })
  if (found.sha256 !== sha256)
    throw new ServiceError('invalid', `The backup is damaged: ${path} does not match its digest.`)
}

/**
 * @throws ServiceError `invalid` for a line that names no content, or is not in order; at the end, for a list that has
 *   changed since it was verified
 */
export async function* readContentList(
  backup: string,
  { sha256: expected }: Pick<BackedUpContents, 'sha256'>,
): AsyncGenerator<ListedContent> {
  const path = join(backup, contentList)
  const digest = createHash('sha256')
  let last = { tenant: '', id: '' }
  await using file = await open(path)
  for await (const line of file.readLines({ autoClose: false })) {
    const { sha256 = '', tenant = '', id = '' } = linePattern.exec(line)?.groups ?? {}
    const isNext = tenant > last.tenant || (tenant === last.tenant && id > last.id)
    if (!isNext) throw new ServiceError('invalid', `${path} is damaged, or of another version.`)
    yield { sha256, tenant, id }
    last = { tenant, id }
    digest.update(`${line}\n`)
  }
  if (digest.digest('hex') !== expected) throw new ServiceError('invalid', `${path} has changed meanwhile.`)
}
