/** Edits one field of a row in place: Enter saves, Escape restores the former value. */
import { Check, X } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ConflictDialog } from '../component/conflict.tsx'
import { Icon } from '../component/icon.tsx'
import { messageOf } from '../component/notice.tsx'
import { toast } from '../component/toast.tsx'
import { useUniqueId } from '../component/unique-id.ts'
import { useVersionedForm } from '../component/versioned-form.ts'
import { type EntityDescription, type FieldDescription, labelOf, type Row, type Values } from '../describe.ts'
import { text } from '../text/text.ts'
import { differencesOf } from './differences.tsx'
import { useDraftKey } from './draft-key.ts'
import { FieldInput } from './field-input.tsx'
import { givenValue } from './given-value.ts'
import { isLong } from './layout.ts'
import { changeRow, loadStored, type StoredRow } from './rows.ts'

interface FieldEditorProps {
  entity: EntityDescription
  field: FieldDescription
  stored: StoredRow
  onSaved: (stored: StoredRow) => void
  onClose: () => void
}

export function FieldEditor(props: FieldEditorProps) {
  const { entity, field, onClose } = props
  const element = useRef<HTMLDivElement>(null)
  /** Whether the last input was by the pointer. Then a choice is saved at once; arrow keys also pass other words. */
  const isPointed = useRef(false)
  const id = useUniqueId()
  const form = useFieldForm(props)
  const { conflict, error, faults } = form
  useLayoutEffect(() => {
    const control = element.current?.querySelector<HTMLElement>('input:not([type=file]), select, textarea')
    control?.focus()
    if (control instanceof HTMLInputElement && control.type === 'text') control.select()
  }, [])
  const cancel = () => {
    form.reset(form.base)
    onClose()
  }
  const save = () => (form.isChanged ? void form.send() : onClose())
  const fault = faults[0]?.reason ?? (error === null ? null : messageOf(error))
  const control = {
    id,
    ...(fault !== null && { 'aria-invalid': true as const, 'aria-describedby': `${id}-fault` }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    isPointed.current = false
    if (event.defaultPrevented || (event.key !== 'Escape' && !isSaveKey(event, field))) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') cancel()
    else save()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the control in it
    <div
      class={isLong(field) ? 'pair is-long is-edited' : 'pair is-edited'}
      ref={element}
      onPointerDown={() => {
        isPointed.current = true
      }}
      onKeyDown={onKeyDown}
    >
      <dt>
        <label for={id} id={`${id}-label`}>
          {labelOf(field)}
        </label>
      </dt>
      <dd>
        <FieldInput
          field={field}
          control={control}
          value={form.values[field.name]}
          isSpacious
          onChange={(value) => {
            const next = { [field.name]: value }
            if (isPointed.current && isChosen(field)) form.sendValues(next)
            else form.change(next)
          }}
        />
        {fault !== null && (
          <span class="fault" id={`${id}-fault`} role="alert">
            {fault}
          </span>
        )}
        <span class="row">
          <button type="button" class="main small" disabled={form.isBusy} onClick={save}>
            <Icon node={Check} />
            {text.action.save}
          </button>
          <button type="button" class="plain small" onClick={cancel}>
            <Icon node={X} />
            {text.action.cancel}
          </button>
        </span>
        {conflict !== null && (
          <ConflictDialog differences={differencesOf(entity.fields, conflict)} conflict={conflict} />
        )}
      </dd>
    </div>
  )
}

function useFieldForm({ entity, field, stored, onSaved, onClose }: FieldEditorProps) {
  const { name } = field
  return useVersionedForm<Row, Values>({
    draftKey: useDraftKey(entity, stored.row.id),
    stored: { value: stored.row, etag: stored.etag },
    valuesOf: (row) => ({ [name]: givenValue(field, row[name]) }),
    load: async () => {
      const { row, etag } = await loadStored(entity, stored.row.id)
      return { value: row, etag }
    },
    save: async (values, { value, etag }, isAll) => {
      const before = givenValue(field, value[name])
      const saved = await changeRow(entity, { row: value, etag }, values)
      onSaved(saved)
      if (isAll()) onClose()
      toast(text.record.changed(labelOf(field)), {
        undo: async () => onSaved(await changeRow(entity, saved, { [name]: before })),
      })
      return { value: saved.row, etag: saved.etag }
    },
  })
}

/** @returns whether the value is chosen by one click */
function isChosen({ kind }: FieldDescription): boolean {
  return kind === 'boolean' || kind === 'enum'
}

/** @returns whether the key saves: Enter, or Ctrl+Enter where Enter begins a new line */
function isSaveKey({ key, ctrlKey, metaKey, target }: KeyboardEvent, field: FieldDescription): boolean {
  if (key !== 'Enter' || target instanceof HTMLButtonElement) return false
  return ctrlKey || metaKey || !isLong(field)
}
