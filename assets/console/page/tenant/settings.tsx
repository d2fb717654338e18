/** The settings of the tenant, also those of the application: the form follows the API's description. */
import { useState } from 'preact/hooks'
import { ApiError, get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { SchemaForm } from '../../component/schema-form.tsx'
import type { JsonSchema } from '../../describe.ts'
import type { Values } from '../../entity/fields.tsx'
import { useLoaded } from '../../load.ts'
import { fieldsOfSchema } from '../../schema-fields.ts'
import { text } from '../../text/text.ts'
import { BrandPreview } from './brand-preview.tsx'

const texts = text.administration.settings
const path = '/api/tenant/settings'

export function SettingsPage() {
  const { can } = useApp()
  const { data, error, reload } = useLoaded(path, loadSettings)
  const [state, setState] = useState<'saved' | 'conflict' | null>(null)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <p class="soft">{text.state.loading}</p>
  const submit = async (values: Values) => {
    setState(null)
    const changed = Object.entries(values).filter(([name, value]) => value !== data.values[name])
    const headers: Record<string, string> = data.etag === null ? {} : { 'if-match': data.etag }
    try {
      await request('PUT', path, { body: Object.fromEntries(changed), headers })
      setState('saved')
    } catch (caught) {
      if (!(caught instanceof ApiError) || caught.status !== 412) throw caught
      setState('conflict')
    }
    reload()
  }
  const isReadOnly = !can('setting:write')
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      <p class="soft">{texts.hint}</p>
      {state === 'saved' && <Done>{text.state.saved}</Done>}
      {state === 'conflict' && (
        <p class="notice warn" role="alert">
          {texts.changed}
        </p>
      )}
      <fieldset class="bare" disabled={isReadOnly}>
        <SchemaForm
          key={data.etag}
          fields={fieldsOfSchema(data.schema)}
          initial={data.values}
          button={text.action.save}
          submit={submit}
          preview={(values) => <BrandPreview values={values} />}
        />
      </fieldset>
    </div>
  )
}

interface Settings {
  values: Values
  etag: string | null
  schema: JsonSchema
}

interface OpenApiDocument {
  components: { schemas: Readonly<Record<string, JsonSchema>> }
}

let described: Promise<OpenApiDocument> | null = null

/** The document is large, and the same until the console is loaded again. */
function describe(): Promise<OpenApiDocument> {
  described ??= get<OpenApiDocument>('/swagger/v1/swagger.json').catch((error: unknown) => {
    described = null
    throw error
  })
  return described
}

async function loadSettings(signal: AbortSignal): Promise<Settings> {
  const [{ body, headers }, document] = await Promise.all([
    request<Values>('GET', path, { signal }),
    describe(),
  ])
  const schema = document.components.schemas['TenantSettingsInput'] ?? {}
  return { values: body, etag: headers.get('etag'), schema }
}
