import pg from 'pg'

const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** Which database an address means, as the driver reads it: user, password and parameters left out. */
export function postgresAddress(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  const folded = host.toLowerCase().replace(/\.$/, '')
  return JSON.stringify([thisMachine.test(folded) ? 'localhost' : folded, port, database])
}

/** For people: `host:port/database`. */
export function postgresName(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `${host}:${port}/${database}`
}
