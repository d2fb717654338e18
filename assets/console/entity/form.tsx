/** Creates or changes a row. What is wrong is said at its field; a change of somebody else is shown beside one's own. */
import { useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { Dialog } from '../component/dialog.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import { type EntityDescription, labelOf } from '../describe.ts'
import { useLeaveGuard } from '../router.ts'
import { text } from '../text/text.ts'
import { FieldInputs, type Values } from './fields.tsx'
import { changeRow, createRow, loadStored, type StoredRow } from './rows.ts'
import { Value } from './value.tsx'

interface FormProps {
  entity: EntityDescription
  /** `null` for a new row. */
  stored: StoredRow | null
  onSaved: (stored: StoredRow) => void
  onCancel: () => void
}

export function RowForm({ entity, stored, onSaved, onCancel }: FormProps) {
  const [values, setValues] = useState<Values>(
    stored === null ? defaultsOf(entity) : inputOf(entity, stored.row),
  )
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [theirs, setTheirs] = useState<StoredRow | null>(null)
  const allowLeaving = useLeaveGuard(isDirty, text.state.leave)
  const save = async (base: StoredRow | null) => {
    setBusy(true)
    setError(null)
    setTheirs(null)
    try {
      const saved =
        base === null
          ? { row: await createRow(entity, values), etag: null }
          : await changeRow(entity, base, values)
      setDirty(false)
      allowLeaving()
      onSaved(saved)
    } catch (caught) {
      if (base !== null && caught instanceof ApiError && caught.status === 412)
        setTheirs(await loadStored(entity, base.row.id))
      else setError(caught)
    }
    setBusy(false)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void save(stored)
  }
  const faults = new Map(
    error instanceof ApiError ? error.faults.map(({ pointer, reason }) => [pointer, reason]) : [],
  )
  return (
    <form class="form" onSubmit={submit} noValidate>
      {error !== null && <ErrorNotice error={error} />}
      <FieldInputs
        fields={entity.fields}
        values={values}
        faults={faults}
        onChange={(next) => {
          setValues(next)
          setDirty(true)
        }}
      />
      <div class="row">
        <button type="submit" class="main" disabled={isBusy}>
          {stored === null ? text.action.create : text.action.save}
        </button>
        <button type="button" onClick={onCancel}>
          {text.action.cancel}
        </button>
      </div>
      {theirs !== null && (
        <Conflict
          entity={entity}
          yours={values}
          theirs={theirs}
          keepYours={() => void save(theirs)}
          keepTheirs={() => {
            setDirty(false)
            onSaved(theirs)
          }}
          onClose={() => setTheirs(null)}
        />
      )}
    </form>
  )
}

function defaultsOf({ fields }: EntityDescription): Values {
  const given = fields.filter((field) => !field.isReadOnly && field.defaultValue !== null)
  return Object.fromEntries(given.map((field) => [field.name, field.defaultValue]))
}

/** The members that callers give. */
function inputOf({ fields }: EntityDescription, row: Values): Values {
  const given = fields.filter(({ isReadOnly }) => !isReadOnly)
  return Object.fromEntries(
    given.map(({ name, kind, fields: inner = [] }) => {
      const value = row[name]
      if (kind !== 'many' || !Array.isArray(value)) return [name, value]
      const names = inner.filter(({ isReadOnly }) => !isReadOnly)
      return [
        name,
        value.map((item: Values) => Object.fromEntries(names.map((each) => [each.name, item[each.name]]))),
      ]
    }),
  )
}

interface ConflictProps {
  entity: EntityDescription
  yours: Values
  theirs: StoredRow
  keepYours: () => void
  keepTheirs: () => void
  onClose: () => void
}

function Conflict({ entity, yours, theirs, keepYours, keepTheirs, onClose }: ConflictProps) {
  const stored = inputOf(entity, theirs.row)
  const different = entity.fields.filter(
    ({ name, isReadOnly }) => !isReadOnly && JSON.stringify(yours[name]) !== JSON.stringify(stored[name]),
  )
  return (
    <Dialog title={text.form.conflictTitle} onClose={onClose}>
      <p>{text.form.conflictText}</p>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">{text.list.field}</th>
              <th scope="col">{text.form.yours}</th>
              <th scope="col">{text.form.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {different.map((field) => (
              <tr key={field.name}>
                <th scope="row">{labelOf(field)}</th>
                <td>
                  <Value field={field} value={yours[field.name]} />
                </td>
                <td>
                  <Value field={field} value={stored[field.name]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="row">
        <button type="button" class="main" onClick={keepYours}>
          {text.form.keepYours}
        </button>
        <button type="button" onClick={keepTheirs}>
          {text.form.keepTheirs}
        </button>
      </div>
    </Dialog>
  )
}
