/** A button that changes one member of all chosen rows. */
import { useRef, useState } from 'preact/hooks'
import { Field } from '../component/field.tsx'
import { Popover } from '../component/popover.tsx'
import type { EntityDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import { FieldInput } from './field-input.tsx'
import { MemberSelect } from './member-select.tsx'

interface BulkChangeProps {
  entity: EntityDescription
  isBusy: boolean
  change: (member: string, value: unknown) => Promise<void>
}

export function BulkChange({ entity, isBusy, change }: BulkChangeProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const fields = entity.fields.filter(
    ({ kind, isReadOnly, isFixed }) => !isReadOnly && isFixed !== true && kind !== 'many' && kind !== 'json',
  )
  const [name, setName] = useState(fields.find(({ kind }) => kind === 'enum')?.name ?? fields[0]?.name)
  const field = fields.find((each) => each.name === name)
  const [value, setValue] = useState<unknown>(undefined)
  if (field === undefined) return null
  const given = value ?? (field.kind === 'boolean' ? false : field.isNullable ? null : undefined)
  const submit = (event: Event) => {
    event.preventDefault()
    if (given === undefined) return
    setOpen(false)
    void change(field.name, given)
  }
  return (
    <>
      <button type="button" ref={button} disabled={isBusy} onClick={() => setOpen(!isOpen)}>
        {text.table.changeField}
      </button>
      {isOpen && (
        <Popover anchor={button.current} label={text.table.changeField} onClose={() => setOpen(false)}>
          <form class="form" onSubmit={submit}>
            <Field label={text.list.field}>
              {(control) => (
                <MemberSelect
                  control={control}
                  fields={fields}
                  name={field.name}
                  onChange={(other) => {
                    setName(other)
                    setValue(undefined)
                  }}
                />
              )}
            </Field>
            <Field label={text.list.value}>
              {(control) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  control={control}
                  value={value}
                  onChange={setValue}
                />
              )}
            </Field>
            <div class="row">
              <button type="submit" class="main" disabled={given === undefined}>
                {text.table.change}
              </button>
              <button type="button" onClick={() => setOpen(false)}>
                {text.action.cancel}
              </button>
            </div>
          </form>
        </Popover>
      )}
    </>
  )
}
