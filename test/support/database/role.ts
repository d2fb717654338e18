/** A role of the PostgreSQL server of the tests, which is no superuser, and a database that it may connect to. */
import { randomBytes } from 'node:crypto'
import { createPostgresDatabase, postgresServerUrl } from '../databases.ts'
import { queryServer } from './query-server.ts'

export interface TestRole {
  name: string
  /** Of the database, as the role. */
  url: string
  /** Of the database, as the superuser. */
  ownerUrl: string
  drop(): Promise<void>
}

/** @param attributes of CREATE ROLE @param onSchema what it may do in the schema `public`, if anything */
export async function roleWith(attributes: string, onSchema: 'ALL' | 'USAGE'): Promise<TestRole> {
  const server = await postgresServerUrl()
  const name = `role_${randomBytes(6).toString('hex')}`
  const { password } = new URL(server)
  await queryServer(server, `CREATE ROLE ${name} LOGIN PASSWORD '${password}' ${attributes}`)
  const database = await createPostgresDatabase()
  await queryServer(database.url, `GRANT ${onSchema} ON SCHEMA public TO ${name}`)
  const url = new URL(database.url)
  url.username = name
  const drop = async (): Promise<void> => {
    await database.drop()
    await queryServer(server, `DROP ROLE ${name}`)
  }
  return { name, url: url.href, ownerUrl: database.url, drop }
}
