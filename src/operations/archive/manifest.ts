/** The manifest of an archive: the tenant, its tables, and digests that prove them complete. */
import { existsSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import type { Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { inputReader } from '../../core/schema/input.ts'
import { Timestamp, Uuid } from '../../core/schema/schema.ts'
import { PlainLine } from '../../core/schema/stored.ts'
import { describeUnknown } from '../../database/migrate/history.ts'
import { version } from '../../database/version.ts'
import { TenantInput, Tenant as TenantReply } from '../../tenancy/schema.ts'
import { digestedText, readDigested } from '../backup/file.ts'
import { readManifestText } from './rows/file.ts'
import { refuseFormer } from './rows/foreign.ts'

const format = 1

/** A text that is shown on a terminal: one line without control characters. */
const line = PlainLine(200)
const identifier = Type.String({ pattern: '^\\w{1,200}$' })

const ArchivedTable = Type.Object({
  table: identifier,
  rows: Type.Integer({ minimum: 0 }),
  /** SHA-256 of the rows as they are in the archive, in the order of their keys. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/** Equal to the row in the table `tenant` of the archive. */
const ArchivedTenant = Type.Object({
  id: TenantInput.properties.id,
  name: TenantReply.properties.name,
  subdomain: TenantReply.properties.subdomain,
  plan: TenantReply.properties.plan,
  isActive: Type.Boolean(),
  createdAt: Timestamp,
  version: Type.Integer({ minimum: 1 }),
})

/** A column with values that are encrypted under the master key. */
const EncryptedColumn = Type.Object({
  purpose: line,
  database: Type.Union([Type.Literal('catalogue'), Type.Literal('tenant')]),
  table: identifier,
  column: identifier,
  key: Type.Array(identifier),
})

const ArchiveManifest = Type.Object({
  format: Type.Literal(format),
  /** The version of Tenantry. */
  version: line,
  /** The id of this archive. */
  id: Uuid,
  exportedAt: Timestamp,
  /** The id of the master key; it reveals nothing about the key. */
  masterKey: line,
  tenant: ArchivedTenant,
  tables: Type.Array(ArchivedTable),
  encrypted: Type.Array(EncryptedColumn),
  migrations: Type.Array(line),
  /** The number of files; absent in an archive of a version without files. */
  files: Type.Optional(Type.Integer({ minimum: 0 })),
})

export type ArchiveManifest = Static<typeof ArchiveManifest>
export type ArchivedTable = Static<typeof ArchivedTable>
export type ArchivedTenant = Static<typeof ArchivedTenant>

const read = inputReader(ArchiveManifest)
const readFormat = inputReader(Type.Object({ format: Type.Integer(), version: Type.String() }))

export function manifestText(manifest: Omit<ArchiveManifest, 'format'>): string {
  return digestedText({ format, ...manifest })
}

/** @throws ServiceError `invalid` for a file that is no archive, is damaged, or is of a newer or a former version */
export function readManifest(path: string): ArchiveManifest {
  if (!existsSync(path)) throw new ServiceError('invalid', `There is no file ${path}.`)
  const text = readManifestText(path)
  if (text === null)
    throw new ServiceError('invalid', `${path} is not an archive of a tenant, or is damaged.`)
  refuseNewer(path, text)
  refuseFormer(path)
  try {
    const manifest = readDigested(text, read)
    if (manifest !== null) return manifest
  } catch (error) {
    const fault = error instanceof ServiceError ? `: ${error.message}` : ''
    throw new ServiceError('invalid', `${path} is damaged: its manifest cannot be read${fault}.`, {
      cause: error,
    })
  }
  throw new ServiceError('invalid', `${path} is damaged: its manifest does not match its digest.`)
}

export function describeTenant(tenant: Tenant): ArchivedTenant {
  const { id, name, subdomain, plan, isActive, createdAt } = tenant
  return { id, name, subdomain, plan, isActive, createdAt, version: tenant.version }
}

/** Reads format and version alone. A manifest that cannot be parsed is reported as damaged elsewhere. */
function refuseNewer(path: string, text: string): void {
  let newer = ''
  try {
    const written = readFormat(JSON.parse(text))
    if (written.format > format) newer = written.version
  } catch {
    return
  }
  if (newer !== '') throw newerVersion(path, newer)
}

/** @param writer the version that wrote the archive @param unknown the migrations that are unknown here */
export function newerVersion(path: string, writer: string, unknown: readonly string[] = []): ServiceError {
  const text = `${path} was exported by Tenantry ${writer}; this is ${version}.`
  if (unknown.length === 0)
    return new ServiceError('invalid', `${text} Import it with that version, or a newer one.`)
  return new ServiceError('invalid', `${text} It has ${describeUnknown(unknown)}`)
}
