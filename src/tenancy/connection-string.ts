/** Connection strings of tenants: three accepted forms, encrypted in the catalogue. */
import { join } from 'node:path'
import type { SecretBox } from '../core/encryption/secret-box.ts'
import { invalidField } from '../core/errors.ts'
import type { DatabaseTarget } from '../database/target.ts'

/** The purpose under which connection strings are encrypted. */
export const connectionPurpose = 'connection-string'

/** What is needed to read a stored connection string. */
export interface ConnectionReader {
  secretBox: SecretBox
  dataDir: string
}

export function encryptConnectionString(secretBox: SecretBox, text: string): Uint8Array {
  return secretBox.encrypt(text, connectionPurpose)
}

/** @param encrypted as stored in the catalogue @throws CannotDecrypt; ServiceError `invalid` */
export function decryptTarget(
  { secretBox, dataDir }: ConnectionReader,
  encrypted: Uint8Array,
): DatabaseTarget {
  return parseConnectionString(secretBox.decrypt(encrypted, connectionPurpose), tenantFolder(dataDir))
}

/** The folder with the SQLite files of tenants. */
export function tenantFolder(dataDir: string): string {
  return join(dataDir, 'tenants')
}

const acceptedForms =
  'must be postgres://…, sqlite:name.db, or Host=…;Port=…;Database=…;Username=…;Password=…'

/** A file name without a path, so that the file cannot be outside of the folder of tenants' databases. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/
const maxNameLength = 128
/** The endings of the files that SQLite and the service keep beside each database. */
const reservedEnding = /-(wal|shm|journal|serving|move)$|\.incomplete$/i

/** A host name or an IPv6 address. Socket paths are excluded, also those that URL decoding would produce. */
const hostName = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/
/** Other parameters name files on this machine, or override the host or the settings of the service. */
const allowedParameters = new Set([
  'application_name',
  'channel_binding',
  'connect_timeout',
  'ssl',
  'sslmode',
  'sslnegotiation',
  'target_session_attrs',
])

/** Names of parameters in the form `Host=…;Database=…`, as Npgsql and SqlClient accept them. */
const aliases = new Map([
  ['host', 'host'],
  ['server', 'host'],
  ['port', 'port'],
  ['database', 'database'],
  ['initial catalog', 'database'],
  ['username', 'user'],
  ['user name', 'user'],
  ['user id', 'user'],
  ['userid', 'user'],
  ['uid', 'user'],
  ['user', 'user'],
  ['password', 'password'],
  ['pwd', 'password'],
  ['data source', 'file'],
  ['datasource', 'file'],
  ['filename', 'file'],
  ['sslmode', 'sslmode'],
  ['ssl mode', 'sslmode'],
])

/**
 * @param folder where SQLite files of tenants are kept
 * @throws ServiceError `invalid`, which names the accepted forms
 */
export function parseConnectionString(text: string, folder: string): DatabaseTarget {
  if (/^sqlite:/i.test(text)) return sqliteTarget(text.slice('sqlite:'.length), folder)
  if (/^postgres(ql)?:\/\//i.test(text)) return postgresTarget(text)
  if (text.includes('=')) return keyValueTarget(text, folder)
  throw wrongForm()
}

/** Whether a file of the tenants' folder can be a database. */
export function isDatabaseFile(file: string): boolean {
  return fileName.test(file) && !reservedEnding.test(file) && file.length <= maxNameLength
}

function sqliteTarget(file: string, folder: string): DatabaseTarget {
  if (!isDatabaseFile(file)) throw wrongForm()
  return { kind: 'sqlite', path: join(folder, file.toLowerCase()) }
}

function postgresTarget(text: string): DatabaseTarget {
  const url = URL.parse(text)
  if (url === null || !hostName.test(url.hostname) || !/^\/[^/]+$/.test(url.pathname)) throw wrongForm()
  const given = [...url.searchParams.keys()]
  if (new Set(given).size < given.length || given.some((name) => !allowedParameters.has(name)))
    throw wrongForm()
  return { kind: 'postgres', url: text }
}

function keyValueTarget(text: string, folder: string): DatabaseTarget {
  const parts = readPairs(text)
  const file = parts.get('file')
  if (file !== undefined) {
    if (parts.size > 1) throw wrongForm()
    return sqliteTarget(file, folder)
  }
  const host = parts.get('host')
  const database = parts.get('database')
  const port = parts.get('port') ?? '5432'
  if (!host || !database || !/^\d{1,5}$/.test(port) || !/^[A-Za-z0-9._:-]+$/.test(host)) throw wrongForm()
  if (/[/?#]/.test(database)) throw wrongForm()
  const credentials = ['user', 'password'].map((name) => encodeURIComponent(parts.get(name) ?? ''))
  const address = host.includes(':') ? `[${host}]` : host
  const ssl = parts.get('sslmode')
  const query = ssl === undefined ? '' : `?sslmode=${encodeURIComponent(ssl.toLowerCase())}`
  return postgresTarget(
    `postgres://${credentials.join(':')}@${address}:${port}/${encodeURI(database)}${query}`,
  )
}

function readPairs(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const pair of text.split(';')) {
    if (pair.trim() === '') continue
    const separator = pair.indexOf('=')
    const name = aliases.get(pair.slice(0, separator).trim().toLowerCase())
    if (separator < 0 || name === undefined || parts.has(name)) throw wrongForm()
    parts.set(
      name,
      pair
        .slice(separator + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2'),
    )
  }
  return parts
}

function wrongForm() {
  return invalidField('connectionString', acceptedForms, 'badAddress')
}
