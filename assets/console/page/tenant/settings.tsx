/** The settings of the tenant, also those of the application: the form follows their definitions. */
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
import type { FieldDescription, JsonSchema, Values } from '../../describe.ts'
import { differencesOf } from '../../entity/differences.tsx'
import { FieldInputs } from '../../entity/fields.tsx'
import { useLoaded } from '../../load.ts'
import { fieldOfSchema } from '../../schema-fields.ts'
import { languageCode, text } from '../../text/text.ts'
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

function SettingsForm({ loaded: { stored, fields: all } }: { loaded: Settings }) {
  const { can } = useApp()
  const fields = can('operation:write') ? all.map((each) => ({ ...each, isReadOnly: false })) : all
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
      <HostSettings fields={fields} values={stored.value} />
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

/** What the host alone changes. */
function HostSettings({ fields, values }: { fields: readonly FieldDescription[]; values: Values }) {
  const shown = fields.filter(({ isReadOnly }) => isReadOnly)
  if (shown.length === 0) return null
  return (
    <fieldset class="bare stack" disabled>
      <legend>{texts.ofHost}</legend>
      <div class="fields">
        <FieldInputs
          fields={shown.map((each) => ({ ...each, isReadOnly: false }))}
          values={values}
          faults={new Map()}
          onChange={() => undefined}
        />
      </div>
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
  fields: readonly FieldDescription[]
}

interface Definition {
  name: string
  label?: string
  isForHost: boolean
  schema: JsonSchema
}

async function loadSettings(signal: AbortSignal): Promise<Settings> {
  const query = { language: languageCode }
  const [stored, definitions] = await Promise.all([
    loadStored(signal),
    get<Definition[]>(`${path}/definitions`, { query, signal }),
  ])
  return { stored, fields: definitions.map(fieldOf) }
}

/** What a setting of the service means, the console says in its language; what an application declares, that says. */
function fieldOf({ name, label, isForHost, schema }: Definition): FieldDescription {
  const field = fieldOfSchema(name, schema)
  return {
    ...field,
    ...(label !== undefined && { label }),
    isReadOnly: isForHost,
    description: texts.hints[name] ?? field.description,
  }
}

async function loadStored(signal?: AbortSignal): Promise<Stored<Values>> {
  const { body, headers } = await request<Values>('GET', path, signal === undefined ? {} : { signal })
  return { value: body, etag: headers.get('etag') }
}
