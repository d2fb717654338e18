/** The forms that create and change a row. Faults are shown at their fields; changes by somebody else are merged. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { useApp } from '../app-context.ts'
import { ConflictDialog } from '../component/conflict.tsx'
import { type Draft, draftOf, forgetDraft, keepDraft } from '../component/draft.ts'
import { type TypedForm, useForm } from '../component/form-state.ts'
import { changedMembers } from '../component/merge.ts'
import { SaveBar } from '../component/save-bar.tsx'
import { changedLabels, FormFaults, faultsOf } from '../component/schema-form.tsx'
import { type Stored, useVersionedForm } from '../component/versioned-form.ts'
import type { EntityDescription, FieldDescription, Row, Values } from '../describe.ts'
import { text } from '../text/text.ts'
import { differencesOf } from './differences.tsx'
import { useDraftKey } from './draft-key.ts'
import { DraftNotice, GoneNotice } from './draft-notice.tsx'
import { FieldInputs } from './fields.tsx'
import { defaultsOf, givenValue } from './given-value.ts'
import { sectionsOf } from './layout.ts'
import { NewRowContext } from './new-row-context.ts'
import { askForRow } from './new-row-dialog.tsx'
import { changeRow, createRow, loadStored, type StoredRow } from './rows.ts'
import { SectionFrame } from './section-frame.tsx'

interface FormProps {
  entity: EntityDescription
  /** @param stays whether the form is to stay open */
  onSaved: (stored: StoredRow, stays: boolean) => void
  onCancel: () => void
}

/** @param given values that are set already, such as the row to which the new one belongs */
export function NewForm({ entity, given, onSaved, onCancel }: FormProps & { given: Values }) {
  const keys = useDraftKey(entity, '')
  const key = `${keys}new`
  const initial = { ...defaultsOf(entity), ...given }
  const [draft] = useState<Draft<null, Values> | null>(() => draftOf(key))
  const stays = useRef(false)
  const form = useForm<Values>(
    initial,
    async (values, { isAll, handOver }) => {
      const created = await createRow(entity, values)
      const isWhole = isAll() || entity.operations.change === undefined
      // Input that was typed after sending becomes a draft that changes the new row.
      if (!isWhole) keepDraft(keys + created.row.id, changedMembers(values, handOver()), toStored(created))
      onSaved(created, isWhole && stays.current)
    },
    {
      typed: draft?.values,
      keep: (values) => keepDraft(key, values, null),
      forget: () => forgetDraft(key),
    },
  )
  return (
    <RowFields
      entity={entity}
      form={form}
      base={null}
      notice={<DraftNotice at={draft?.at ?? null} form={form} />}
    >
      <SaveBar
        changed={[]}
        button={text.action.create}
        isBusy={form.isBusy}
        discard={text.action.cancel}
        onDiscard={onCancel}
        save={(isToStay) => {
          stays.current = isToStay
          void form.send()
        }}
      />
    </RowFields>
  )
}

export function ChangeForm({
  entity: described,
  stored,
  onSaved,
  onCancel,
}: FormProps & { stored: StoredRow }) {
  const entity = { ...described, fields: described.fields.map(keepingFixed) }
  const stays = useRef(false)
  const form = useVersionedForm<Row, Values>({
    draftKey: useDraftKey(entity, stored.row.id),
    stored: { value: stored.row, etag: stored.etag },
    valuesOf: (row) => inputOf(entity, row),
    load: async () => toStored(await loadStored(entity, stored.row.id)),
    save: async (values, base, isAll) => {
      const body = changedMembers(inputOf(entity, base.value), values)
      const saved = await changeRow(entity, { row: base.value, etag: base.etag }, body)
      onSaved(saved, stays.current || !isAll())
      return toStored(saved)
    },
  })
  const { conflict, error } = form
  const isGone = error instanceof ApiError && error.status === 404
  const changed = changedLabels(entity.fields, form)
  const discard = () => {
    form.reset(form.base)
    onCancel()
  }
  return (
    <>
      <RowFields
        entity={entity}
        row={stored.row}
        form={form}
        base={form.base}
        notice={
          isGone ? (
            <GoneNotice entity={entity} form={form} />
          ) : (
            <DraftNotice at={form.draftedAt} form={form} />
          )
        }
      >
        {changed.length > 0 && (
          <SaveBar
            changed={changed}
            button={text.action.save}
            isBusy={form.isBusy}
            onDiscard={discard}
            save={(isToStay) => {
              stays.current = isToStay
              void form.send()
            }}
          />
        )}
      </RowFields>
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

interface RowFieldsProps {
  entity: EntityDescription
  /** The row with the values that the service sets; absent for a new row. */
  row?: Row
  form: TypedForm<Values>
  /** The former values; `null` for a new row. */
  base: Values | null
  notice: ComponentChildren
  children: ComponentChildren
}

function RowFields({ entity, row, form, base, notice, children }: RowFieldsProps) {
  const app = useApp()
  const element = useRef<HTMLFormElement>(null)
  const { values, change, send } = form
  const sections = sectionsOf(entity, { ...row, ...values }).map((section) => ({
    ...section,
    fields: section.fields.filter(({ isReadOnly }) => !isReadOnly),
  }))
  const faults = faultsOf(form)
  const faulty = new Set([...faults.keys()].map((pointer) => pointer.split('/')[1]))
  const shown = sections.filter(({ fields }) => fields.length > 0)
  const inputs = (isSide: boolean) =>
    shown
      .filter((section) => section.isSide === isSide)
      .map((section) => (
        <section key={section.title} class="stack" aria-label={section.title ?? undefined}>
          <SectionFrame
            section={section}
            faults={section.fields.filter(({ name }) => faulty.has(name)).length}
          >
            <div class={isSide ? 'stack' : 'fields'}>
              <FieldInputs
                fields={section.fields}
                ofForm={entity.fields}
                values={values}
                base={base}
                faults={faults}
                onChange={change}
              />
            </div>
          </SectionFrame>
        </section>
      ))
  const side = inputs(true)
  return (
    <NewRowContext.Provider value={(other, typed) => askForRow(app, other, typed)}>
      <form class="row-form" noValidate ref={element} onSubmit={(event) => void send(event)}>
        <div class={side.length > 0 ? 'record-body' : ''}>
          <div class="stack form-main">
            {notice}
            <FormFaults form={form} fields={entity.fields} element={element} />
            {inputs(false)}
          </div>
          {side.length > 0 && <div class="record-side stack">{side}</div>}
        </div>
        {children}
      </form>
    </NewRowContext.Provider>
  )
}

/** @returns the field as read-only if its value cannot change after creation */
function keepingFixed(field: FieldDescription): FieldDescription {
  return field.isFixed === true ? { ...field, isReadOnly: true } : field
}

function toStored({ row, etag }: StoredRow): Stored<Row> {
  return { value: row, etag }
}

/** @returns the members that callers of the API can set */
export function inputOf({ fields }: Pick<EntityDescription, 'fields'>, row: Values): Values {
  const given = fields.filter(({ isReadOnly }) => !isReadOnly)
  return Object.fromEntries(given.map((field) => [field.name, givenValue(field, row[field.name])]))
}
