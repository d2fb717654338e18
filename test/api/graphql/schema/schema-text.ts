/** The schema of a running service as text, as any client can read it. `npm run schema` writes the file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import type { Client } from '../../../support/client.ts'
import { startService } from '../../../support/service.ts'

const file = new URL('../../../../schema.graphql', import.meta.url)

export async function schemaOf(client: Client): Promise<string> {
  const { body } = await client.post('/graphql', { query: getIntrospectionQuery() })
  return `${printSchema(buildClientSchema(body.data))}\n`
}

/** As it was committed. */
export function committedSchema(): string {
  return readFileSync(file, 'utf8')
}

if (import.meta.main) void writeSchema()

async function writeSchema(): Promise<void> {
  const service = await startService('sqlite')
  writeFileSync(file, await schemaOf(service.anonymous))
  await service.stop()
}
