/** The settings of the tenant, also those of the application: the form follows the API's description. */
import { Settings2 } from 'lucide'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { loadBrand } from '../../brand.ts'
import { ConflictDialog } from '../../component/conflict.tsx'
import { Loading } from '../../component/loading.tsx'
import { changedMembers } from '../../component/merge.ts'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { SchemaChangeForm } from '../../component/schema-form.tsx'
import { ifMatch, type Stored, useVersionedForm } from '../../component/versioned-form.ts'
import type { JsonSchema, Values } from '../../describe.ts'
import { differencesOf } from '../../entity/differences.tsx'
import { useLoaded } from '../../load.ts'
import { fieldsOfSchema } from '../../schema-fields.ts'
import { text } from '../../text/text.ts'
import { BrandPreview } from './brand-preview.tsx'
import { Logos } from './logos.tsx'

const texts = text.administration.settings
const path = '/api/tenant/settings'

export function SettingsPage() {
  const { data, error, reload } = useLoaded(path, loadSettings)
  return (
    <div class="stack">
      <PageHead icon={Settings2} title={texts.title} subtitle={texts.hint} />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data !== null && <SettingsForm loaded={data} />}
      {data === null && error === null && <Loading />}
    </div>
  )
}

function SettingsForm({ loaded: { stored, schema } }: { loaded: Settings }) {
  const { can } = useApp()
  const fields = fieldsOfSchema(schema)
  const form = useVersionedForm<Values, Values>({
    stored,
    valuesOf: (each) => each,
    save,
    load: loadStored,
  })
  const { conflict, isSaved } = form
  return (
    <fieldset class="bare stack" disabled={!can('setting:write')}>
      <SchemaChangeForm form={form} fields={fields} preview={(shown) => <BrandPreview values={shown} />} />
      <Logos />
      {isSaved && <Done>{text.state.saved}</Done>}
      {conflict !== null && (
        <ConflictDialog
          title={texts.changed}
          differences={differencesOf(fields, conflict)}
          conflict={conflict}
        />
      )}
    </fieldset>
  )
}

/** Only what was changed: somebody else may change another setting at the same time. */
async function save(values: Values, { value, etag }: Stored<Values>): Promise<Stored<Values>> {
  const options = { body: changedMembers(value, values), headers: ifMatch(etag) }
  const { body, headers } = await request<Values>('PUT', path, options)
  void loadBrand()
  return { value: body, etag: headers.get('etag') }
}

interface Settings {
  stored: Stored<Values>
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
  const [stored, document] = await Promise.all([loadStored(signal), describe()])
  const { TenantSettingsInput: input = {}, TenantSettings: output = {} } = document.components.schemas
  return { stored, schema: withLabels(input, output) }
}

/** The names in other languages stand in what the service replies; what a setting means, it says in English. */
function withLabels(input: JsonSchema, output: JsonSchema): JsonSchema {
  const named = Object.entries(input.properties ?? {}).map(([name, member]) => {
    const labels = output.properties?.[name]?.['x-labels']
    const description = texts.hints[name] ?? member.description
    return [
      name,
      {
        ...member,
        ...(labels !== undefined && { 'x-labels': labels }),
        ...(description !== undefined && { description }),
      },
    ] as const
  })
  return { ...input, properties: Object.fromEntries(named) }
}

async function loadStored(signal?: AbortSignal): Promise<Stored<Values>> {
  const { body, headers } = await request<Values>('GET', path, signal === undefined ? {} : { signal })
  return { value: body, etag: headers.get('etag') }
}
