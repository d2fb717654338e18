/**
 * Reads addresses of PostgreSQL as libpq, its own client library, does: they may name several hosts, or a socket. The
 * driver `pg` accepts one host only, so that an address is split.
 */
import pg from 'pg'

/** Scheme, user and password, hosts, path, and parameters. */
const form = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i
const host = /^(?:\[[\da-f:.]+\]|[\w.%~-]*)(?::\d{1,5})?$/i

const unencoded =
  'the user or the password has a character that must be percent-encoded: write @ as %40, / as %2F, ? as %3F, # as %23, : as %3A and % as %25'
const wrongForm = 'must be postgres://<user>:<password>@<host>:<port>/<database>'

/** @returns what is wrong with an address, without any part of it; `null` for one that can be used */
export function urlFault(url: string): string | null {
  if (!isOfForm(url)) return hasEarlyEnd(url) ? unencoded : wrongForm
  try {
    for (const each of hostUrls(url)) driverConfig(each)
    return null
  } catch (error) {
    if (error instanceof URIError) return unencoded
    return isFileError(error) ? `names a file that cannot be read: ${error.message}` : wrongForm
  }
}

function isOfForm(url: string): boolean {
  const [all, , userInfo, hosts = '', path = '', query = ''] = form.exec(url) ?? []
  const isSplit = path.includes('@') || (userInfo === undefined && query.includes('@'))
  return all !== undefined && !isSplit && hosts.split(',').every((each) => host.test(each))
}

/**
 * Whether the password has an unencoded `@`, `/`, `?` or `#`: the address then has one of these before its last `@`.
 */
function hasEarlyEnd(url: string): boolean {
  const rest = url.replace(/^\w+:\/\//, '')
  return /[@/?#]/.test(rest.slice(0, Math.max(0, rest.lastIndexOf('@'))))
}

/** @returns an address of one host for each host, in their order, as the driver takes it */
export function hostUrls(url: string): string[] {
  return split(url).map(withFullVerification)
}

function split(url: string): string[] {
  const [, scheme = '', userInfo, hosts = '', path = '', query = ''] = form.exec(url) ?? []
  const given = new URLSearchParams(query)
  const named = given.get('host')?.split(',') ?? []
  if (named.length > 1) {
    const ports = given.get('port')?.split(',') ?? []
    return named.map((name, index) => {
      const parameters = new URLSearchParams(given)
      parameters.set('host', name)
      const port = ports[index] ?? ports[0]
      if (port !== undefined) parameters.set('port', port)
      return url.replace(`?${query}`, `?${parameters}`)
    })
  }
  if (!hosts.includes(',')) return [url]
  const user = userInfo === undefined ? '' : `${userInfo}@`
  return hosts.split(',').map((each) => `${scheme}${user}${each}${path}${query === '' ? '' : `?${query}`}`)
}

/** Writes `verify-full` for three modes that the driver treats so already, with a warning that this will change. */
function withFullVerification(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

/** @returns the URL of another database on the same server */
export function withDatabase(url: string, name: string): string {
  return url.replace(form, (_url, scheme, userInfo, hosts, _path, query) => {
    const user = userInfo === undefined ? '' : `${userInfo}@`
    return `${scheme}${user}${hosts}/${encodeURIComponent(name)}${query === undefined ? '' : `?${query}`}`
  })
}

/** Host, port and database as the driver reads them. */
export function driverConfig(url: string): { host: string; port: number; database: string } {
  const { host: name, port, database } = new pg.Client({ connectionString: withFullVerification(url) })
  return { host: name, port, database: database ?? '' }
}

/** @returns which kind of server the URL asks for (`target_session_attrs`) */
export function wantedServer(url: string): string {
  const [, , , , , query = ''] = form.exec(url) ?? []
  return new URLSearchParams(query).get('target_session_attrs') ?? 'any'
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}
