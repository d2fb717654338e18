/** Creates or changes a row. What is wrong is said at its field; a change of somebody else is merged with it. */
import { ConflictDialog } from '../component/conflict.tsx'
import { useForm } from '../component/form-state.ts'
import { SchemaFields } from '../component/schema-form.tsx'
import { type Stored, useVersionedForm } from '../component/versioned-form.ts'
import type { EntityDescription, FieldDescription, Row, Values } from '../describe.ts'
import { text } from '../text/text.ts'
import { differencesOf } from './differences.tsx'
import { givenValue } from './given-value.ts'
import { changeRow, createRow, loadStored, type StoredRow } from './rows.ts'

interface FormProps {
  entity: EntityDescription
  /** `null` for a new row. */
  stored: StoredRow | null
  onSaved: (stored: StoredRow) => void
  onCancel: () => void
}

export function RowForm(props: FormProps) {
  const { stored } = props
  return stored === null ? <NewForm {...props} /> : <ChangeForm {...props} stored={stored} />
}

function NewForm({ entity, onSaved, onCancel }: FormProps) {
  const form = useForm<Values>(defaultsOf(entity), async (values) =>
    onSaved({ row: await createRow(entity, values), etag: null }),
  )
  return <SchemaFields form={form} fields={entity.fields} button={text.action.create} onCancel={onCancel} />
}

function ChangeForm({ entity: described, stored, onSaved, onCancel }: FormProps & { stored: StoredRow }) {
  const entity = { ...described, fields: described.fields.map(keepingFixed) }
  const form = useVersionedForm<Row, Values>({
    stored: { value: stored.row, etag: stored.etag },
    valuesOf: (row) => inputOf(entity, row),
    load: async () => toStored(await loadStored(entity, stored.row.id)),
    save: async (values, base) => {
      const saved = await changeRow(entity, { row: base.value, etag: base.etag }, values)
      onSaved(saved)
      return toStored(saved)
    },
  })
  const { conflict } = form
  return (
    <>
      <SchemaFields form={form} fields={entity.fields} button={text.action.save} onCancel={onCancel} />
      {conflict !== null && (
        <ConflictDialog
          differences={differencesOf(entity.fields, conflict)}
          conflict={{
            ...conflict,
            keepTheirs: () => {
              conflict.keepTheirs()
              onCancel()
            },
          }}
        />
      )}
    </>
  )
}

/** What a row keeps is shown, and has no input. */
function keepingFixed(field: FieldDescription): FieldDescription {
  return field.isFixed === true ? { ...field, isReadOnly: true } : field
}

function toStored({ row, etag }: StoredRow): Stored<Row> {
  return { value: row, etag }
}

function defaultsOf({ fields }: EntityDescription): Values {
  const given = fields.filter((field) => !field.isReadOnly && field.defaultValue !== null)
  return Object.fromEntries(given.map((field) => [field.name, field.defaultValue]))
}

/** The members that callers give. */
function inputOf({ fields }: EntityDescription, row: Values): Values {
  const given = fields.filter(({ isReadOnly }) => !isReadOnly)
  return Object.fromEntries(given.map((field) => [field.name, givenValue(field, row[field.name])]))
}
