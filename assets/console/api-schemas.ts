/** Loads the JSON Schemas of the OpenAPI document, from which some forms are made. */
import { get } from './api.ts'
import type { JsonSchema } from './describe.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

let loaded: Promise<{ components: { schemas: Schemas } }> | null = null

/** Loads the document once, because it is large and does not change while the console is open. */
export async function loadSchemas(): Promise<Schemas> {
  loaded ??= get<{ components: { schemas: Schemas } }>('/swagger/v1/swagger.json').catch((error: unknown) => {
    loaded = null
    throw error
  })
  return (await loaded).components.schemas
}
