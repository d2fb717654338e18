/** A PgBouncer in front of the PostgreSQL server of the tests. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, soonMs } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { readProjectFile } from '../source.ts'
import { queryServer } from './query-server.ts'

const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

/** @returns that of `PGBOUNCER_PATH`, or of the system; `null` where there is none */
export function findPgBouncer(): { path: string; version: number } | null {
  const path = process.env['PGBOUNCER_PATH'] ?? places.find(existsSync)
  if (path === undefined) return null
  const [, major, minor] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? []
  return { path, version: Number(major) + Number(minor) / 100 }
}

/** The first version that keeps prepared statements in transaction mode. */
export const keepsStatements = 1.21

export interface PgBouncer extends AsyncDisposable {
  /** The address of a database through the pooler. */
  through(url: string): string
}

/** @param settings of its section `[pgbouncer]`, each `name = value` */
export async function startPgBouncer(serverUrl: string, settings: readonly string[]): Promise<PgBouncer> {
  const found = findPgBouncer()
  if (found === null) throw new Error('There is no PgBouncer.')
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-pgbouncer-'))
  chmodSync(folder, 0o755)
  const { hostname, port, username, password } = new URL(serverUrl)
  const own = await freePort()
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${username}" "${password}"\n"app" "${password}"\n`)
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    ...[`listen_port = ${own}`, 'listen_addr = 127.0.0.1', 'unix_socket_dir =', 'auth_type = trust'],
    ...[`auth_file = ${users}`, 'max_client_conn = 500', 'logfile =', 'pidfile ='],
    ...settings.filter((each) => found.version >= keepsStatements || !each.startsWith('max_prepared')),
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const pooler = spawn(found.path, ['-q', file], { ...unprivileged(), cwd: '/', stdio: 'ignore' })
  const through = (url: string): string => {
    const address = new URL(url)
    address.port = `${own}`
    return address.href
  }
  await eventually('the pooler', soonMs, () =>
    queryServer(through(serverUrl), 'SELECT 1').then(
      () => true,
      () => false,
    ),
  )
  return { through, [Symbol.asyncDispose]: () => stop(pooler, folder) }
}

/** It refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function stop(pooler: ChildProcess, folder: string): Promise<void> {
  const ended = once(pooler, 'exit')
  if (pooler.exitCode === null) {
    pooler.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true })
}

/** What the document says to set for the role, in this database. */
export async function setForRole(url: string): Promise<void> {
  const { username, pathname } = new URL(url)
  const text = readProjectFile('docs/operations/connections.md') ?? ''
  const [, statements = ''] = /```sql\n(ALTER ROLE[^`]+)```/.exec(text) ?? []
  for (const statement of statements
    .replaceAll('app', username)
    .replaceAll('shop', pathname.slice(1))
    .split(';\n'))
    if (statement !== '') await queryServer(url, statement)
}
