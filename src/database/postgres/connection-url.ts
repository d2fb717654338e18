/** Addresses of PostgreSQL as libpq reads them: with several hosts, or with a socket. The driver knows one host. */
import pg from 'pg'

/** Scheme, user and password, hosts, path, and parameters. */
const form = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i
const host = /^(?:\[[\da-f:.]+\]|[\w.%~-]*)(?::\d{1,5})?$/i

const unencoded =
  'the user or the password has a character that must be percent-encoded: write @ as %40, / as %2F, ? as %3F, # as %23, : as %3A and % as %25'
const wrongForm = 'must be postgres://<user>:<password>@<host>:<port>/<database>'

/** @returns what is wrong with an address, without any piece of it; `null` for one that can be used */
export function urlFault(url: string): string | null {
  const [, , userInfo, hosts = '', path = '', query = ''] = form.exec(url) ?? []
  const hasSign = userInfo === undefined && `${path}${query}`.includes('@')
  const isWrong = !form.test(url) || path.includes('@') || !hosts.split(',').every((each) => host.test(each))
  if (isWrong || hasSign) return url.includes('@') ? unencoded : wrongForm
  try {
    for (const each of hostUrls(url)) driverConfig(each)
    return null
  } catch (error) {
    if (error instanceof URIError) return unencoded
    return isFileError(error) ? `names a file that cannot be read: ${error.message}` : wrongForm
  }
}

/** @returns an address of one host for each host, in their order */
export function hostUrls(url: string): string[] {
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

/** The same server with another database. */
export function withDatabase(url: string, name: string): string {
  return url.replace(form, (_url, scheme, userInfo, hosts, _path, query) => {
    const user = userInfo === undefined ? '' : `${userInfo}@`
    return `${scheme}${user}${hosts}/${encodeURIComponent(name)}${query === undefined ? '' : `?${query}`}`
  })
}

/** Host, port and database as the driver reads them. */
export function driverConfig(url: string): { host: string; port: number; database: string } {
  const { host: name, port, database } = new pg.Client({ connectionString: url })
  return { host: name, port, database: database ?? '' }
}

/** Which of several servers is wanted (`target_session_attrs`). */
export function wantedServer(url: string): string {
  const [, , , , , query = ''] = form.exec(url) ?? []
  return new URLSearchParams(query).get('target_session_attrs') ?? 'any'
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}
