/** The schema of a running service as text, as any client can read it. */
import { readFileSync } from 'node:fs'
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import type { Client } from '../../../support/client.ts'

const file = new URL('../../../../schema.graphql', import.meta.url)

export async function schemaOf(client: Client): Promise<string> {
  const { body } = await client.post('/graphql', { query: getIntrospectionQuery() })
  return `${printSchema(buildClientSchema(body.data))}\n`
}

/** As it was committed. */
export function committedSchema(): string {
  return readFileSync(file, 'utf8')
}
