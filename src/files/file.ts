/** Uploads, finds and deletes files of a tenant. The content is stored before its row, and removed after its row. */
import { rm } from 'node:fs/promises'
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { asTenant } from '../core/create-context.ts'
import { invalidField, refusal, ServiceError } from '../core/errors.ts'
import { publish } from '../core/events/publish.ts'
import type { Files, LocalFile } from '../core/file-store.ts'
import { newId } from '../core/id.ts'
import { actorIdOf } from '../core/reach.ts'
import { inTransaction } from '../core/transaction.ts'
import { ConstraintViolation } from '../database/executor.ts'
import { isVideo, type KnownFileType, knownTypeOf } from './content/type.ts'
import { linkTo } from './link.ts'
import type { FileReply, StoredFile } from './schema.ts'
import {
  changeUsage,
  deleteFileRow,
  deleteStrayFile,
  findFile,
  findFileForUpdate,
  findFiles,
  findUsage,
  insertFile,
  insertStrayFile,
} from './sql.ts'
import { beginTransfer } from './transfer.ts'
import { receiveFile, tooLarge } from './upload/receive.ts'

export interface Upload {
  name: string
  /** The media type that the caller declares, without parameters. */
  type: string
  content: AsyncIterable<Uint8Array>
  /** The size that the caller announces; `null` without one. */
  announced: number | null
}

/**
 * @throws ServiceError `unsupportedMediaType` for an unknown type or content of another type,
 *   `tooLarge` beyond the limit of a file or the quota, `invalid` for an empty file or a bad name,
 *   `unavailable` if the store does not work; what `beginTransfer` throws
 */
export async function uploadFile(context: Context, upload: Upload): Promise<FileReply> {
  const { files } = context.shared
  const name = readName(upload.name)
  const type = requireType(upload.type, files)
  // Takes a place among the transfers in progress, which `end` frees; `charge` bills the bytes to the caller.
  const transfer = beginTransfer(context)
  try {
    const room = Math.min(files.maxBytes, files.quotaBytes - (await findUsage(context.data)))
    if (room <= 0) throw overQuota(files.quotaBytes)
    if ((upload.announced ?? 0) > files.maxBytes) throw tooLarge(files.maxBytes)
    if ((upload.announced ?? 0) > room) throw overQuota(files.quotaBytes)
    const { folder, maxBytes } = files
    const received = await receiveFile(upload.content, { folder, type, maxBytes, count: transfer.charge })
    try {
      return toReply(context, await store(context, { name, type, received }))
    } finally {
      await rm(received.path, { force: true })
    }
  } finally {
    transfer.end()
  }
}

/** @throws ServiceError `notFound` */
export async function getFile(context: Context, id: string): Promise<StoredFile> {
  const file = await findFile(context.data, id)
  if (file === null) throw noSuchFile()
  return file
}

/** Describes a file, with a new link to it. @throws ServiceError `notFound` */
export async function describeFile(context: Context, id: string): Promise<FileReply> {
  return toReply(context, await getFile(context, id))
}

/** The databases limit the parameters of a statement. */
const maxIdsAtOnce = 1000

/** @returns the files that exist, by id, each with a new link */
export async function describeFiles(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileReply>> {
  const wanted = [...new Set(ids)]
  const replies = new Map<string, FileReply>()
  for (let from = 0; from < wanted.length; from += maxIdsAtOnce) {
    const found = await findFiles(context.data, wanted.slice(from, from + maxIdsAtOnce))
    for (const file of found) replies.set(file.id, toReply(context, file))
  }
  return replies
}

/** @throws ServiceError `notFound`; `invalid` while a row names the file */
export async function deleteFile(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (inside) => {
    const file = await findFileForUpdate(inside.data, id)
    if (file === null) throw noSuchFile()
    await removeRow(inside, file)
  })
  await removeContent(context, id)
}

/** Deletes the row in the transaction of the caller. @throws ServiceError `invalid` while another row names the file */
export async function removeRow(inside: Context, { id, name, size }: StoredFile): Promise<void> {
  await deleteFileRow(inside.data, id).catch((cause: unknown) => {
    if (!(cause instanceof ConstraintViolation) || cause.rule !== 'foreignKey') throw cause
    throw refusal('inUse', { label: 'file' }, { cause })
  })
  await insertStrayFile(inside.data, id, now(inside))
  await changeUsage(inside.data, -size)
  await publish(inside, 'file.deleted', { fileId: id, name })
  const entry = { action: 'file.deleted', tenantId: inside.tenant.id, subjectType: 'file' } as const
  await recordTenantAudit(inside, { ...entry, subjectId: id, detail: { name, size } })
}

/** Removes the content, after the row was deleted. @returns false if the sweep has to remove the content later */
export async function removeContent(context: Context, id: string): Promise<boolean> {
  const { files, log } = context.shared
  try {
    if (!(await files.store.remove({ tenantId: context.tenant.id, id }))) return false
    await inTransaction(context, (inside) => deleteStrayFile(inside.data, id))
    files.counts.removed++
    return true
  } catch (error) {
    log.warn({ err: error, fileId: id }, 'content of a deleted file not removed yet')
    return false
  }
}

interface NewFile {
  name: string
  type: KnownFileType
  received: LocalFile
}

/** Stores a row in `stray_file` before the content, so that the sweep finds the content of an incomplete upload. */
async function store(context: Context, { name, type, received }: NewFile): Promise<StoredFile> {
  const { files } = context.shared
  const { size, sha256 } = received
  const id = newId()
  await inTransaction(context, (inside) => insertStrayFile(inside.data, id, now(context)))
  await files.store.put({ tenantId: context.tenant.id, id }, received)
  const moment = now(context)
  const uploader = actorIdOf(context.actor)
  const times = { created_at: moment, unused_since: moment }
  const file = { id, name, type, size, sha256, ...times, uploaded_by: uploader }
  await inTransaction(context, async (inside) => {
    if ((await changeUsage(inside.data, size)) > files.quotaBytes) throw overQuota(files.quotaBytes)
    // Without that row, the sweep has already removed the content.
    if (!(await deleteStrayFile(inside.data, id))) throw new ServiceError('unavailable')
    // Rules of rows let no caller insert into the table: a new file becomes theirs by `uploaded_by`.
    await insertFile(asTenant(inside).data, file)
    await publish(inside, 'file.created', { fileId: id, name, type, size })
    const entry = { action: 'file.created', tenantId: inside.tenant.id, subjectType: 'file' } as const
    await recordTenantAudit(inside, { ...entry, subjectId: id, detail: { name, type, size } })
  })
  files.counts.uploaded++
  files.counts.uploadedBytes += size
  return file
}

function toReply(context: Context, { id, name, type, size }: StoredFile): FileReply {
  return { id, name, type, size, url: addressOf(context, id) }
}

/** An administrator of the host who acts as a user gets an address that needs the token, which a link would outlive. */
function addressOf(context: Context, id: string): string {
  const isActing = context.actor !== null && context.actor.impersonator !== null
  return isActing ? `${context.shared.files.baseUrl}/api/files/${id}` : linkTo(context, id)
}

/** Reads the name without the folders that some clients send. @throws ServiceError `invalid` */
function readName(given: string): string {
  const name = given
    .slice(given.search(/[^\\/]*$/))
    .trim()
    .normalize('NFC')
  if (name === '' || /\p{Cc}/u.test(name) || name !== name.toWellFormed())
    throw invalidField('name', 'must be a name without control characters', 'badPattern')
  return name
}

function requireType(given: string, { takesVideos }: Files): KnownFileType {
  const type = knownTypeOf(given)
  if (type !== null && (takesVideos || !isVideo(type))) return type
  throw given === ''
    ? refusal('fileWithoutType')
    : refusal('fileTypeNotAccepted', { type: given.toLowerCase() })
}

function overQuota(quotaBytes: number): ServiceError {
  return refusal('filesTooLarge', { limit: quotaBytes })
}

function noSuchFile(): ServiceError {
  return refusal('noSuch', { label: 'file' })
}
