/** Where a database is. The file of SQLite is created when it is opened. */
export type DatabaseTarget = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

/** Tenants with one location have one database. May hold a password. */
export function locationOf(target: DatabaseTarget): string {
  return target.kind === 'sqlite' ? target.path : target.url
}
