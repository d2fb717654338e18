/**
 * The form of settings, made from their definitions: the tenant's own settings, and those that only the host can
 * change.
 */
import type { ComponentChildren } from 'preact'
import { get, request } from '../../api.ts'
import { ConflictDialog } from '../../component/conflict.tsx'
import { changedMembers } from '../../component/merge.ts'
import { Done } from '../../component/notice.tsx'
import { type FormPreview, SchemaChangeForm } from '../../component/schema-form.tsx'
import { ifMatch, type Stored, useVersionedForm } from '../../component/versioned-form.ts'
import type { FieldDescription, JsonSchema, Values } from '../../describe.ts'
import { differencesOf } from '../../entity/differences.tsx'
import { fieldOfSchema } from '../../schema-fields.ts'
import { text } from '../../text/text.ts'

const texts = text.administration.settings
export const ownSettings = '/api/tenant/settings'

export interface Settings {
  stored: Stored<Values>
  fields: readonly FieldDescription[]
}

interface Definition {
  name: string
  label?: string
  isForHost: boolean
  schema: JsonSchema
}

/** Loads settings. Fields that only the host can change are read-only. */
export async function loadSettings(path: string, signal: AbortSignal): Promise<Settings> {
  const [stored, fields] = await Promise.all([loadStored(path, signal), loadFields(signal)])
  return { stored, fields }
}

export async function loadFields(signal: AbortSignal): Promise<FieldDescription[]> {
  return (await get<Definition[]>(`${ownSettings}/definitions`, { signal })).map(fieldOf)
}

/**
 * @returns the field of a setting. The console has texts for the service's own settings; an application gives its
 *   own.
 */
function fieldOf({ name, label, isForHost, schema }: Definition): FieldDescription {
  const field = fieldOfSchema(name, schema)
  return {
    ...field,
    ...(label !== undefined && { label }),
    isReadOnly: isForHost,
    description: texts.hints[name] ?? field.description,
  }
}

export function writable(field: FieldDescription): FieldDescription {
  return { ...field, isReadOnly: false }
}

export async function loadStored(path: string, signal?: AbortSignal): Promise<Stored<Values>> {
  const { body, headers } = await request<Values>('GET', path, signal === undefined ? {} : { signal })
  return { value: body, etag: headers.get('etag') }
}

interface SettingsFormProps {
  /** The path of the endpoint. */
  path: string
  loaded: Settings
  isDisabled: boolean
  preview?: FormPreview
  onSaved?: () => void
  /** Shown between the form and its result. */
  children?: ComponentChildren
}

export function SettingsForm({ path, loaded, isDisabled, preview, onSaved, children }: SettingsFormProps) {
  const { stored, fields } = loaded
  // Only changed members are sent, because somebody else may change another setting at the same time.
  const save = async (values: Values, { value, etag }: Stored<Values>): Promise<Stored<Values>> => {
    const options = { body: changedMembers(value, values), headers: ifMatch(etag) }
    const { body, headers } = await request<Values>('PUT', path, options)
    onSaved?.()
    return { value: body, etag: headers.get('etag') }
  }
  const form = useVersionedForm<Values, Values>({
    stored,
    valuesOf: (each) => each,
    save,
    load: () => loadStored(path),
  })
  const { conflict, isSaved } = form
  return (
    <fieldset class="bare stack" disabled={isDisabled}>
      <SchemaChangeForm form={form} fields={fields} {...(preview && { preview })} />
      {children}
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
