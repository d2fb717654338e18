/** The shapes of the OpenAPI document, for forms that follow it. */
import { get } from './api.ts'
import type { JsonSchema } from './describe.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

let loaded: Promise<{ components: { schemas: Schemas } }> | null = null

/** The document is large, and the same until the console is loaded again. */
export async function loadSchemas(): Promise<Schemas> {
  loaded ??= get<{ components: { schemas: Schemas } }>('/swagger/v1/swagger.json').catch((error: unknown) => {
    loaded = null
    throw error
  })
  return (await loaded).components.schemas
}
