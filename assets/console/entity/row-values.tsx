/** Shows the values of a row in two columns. Each can be copied and edited in place. */
import { Check, Copy, Pencil } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ScrollingTable } from '../component/data-table.tsx'
import { Icon } from '../component/icon.tsx'
import { type EntityDescription, type FieldDescription, labelOf, type Values } from '../describe.ts'
import { text } from '../text/text.ts'
import { FieldEditor } from './field-editor.tsx'
import { isLong, ownFields, type Section, sectionsOf } from './layout.ts'
import type { StoredRow } from './rows.ts'
import { SectionFrame } from './section-frame.tsx'
import { isNumber, Value } from './value.tsx'

interface RowValuesProps {
  entity: EntityDescription
  stored: StoredRow
  /** Called after a change in place; if absent, nothing can be edited. */
  onChanged?: (stored: StoredRow) => void
  /** Shown below the values at the side. */
  children?: ComponentChildren
}

export function RowValues(props: RowValuesProps) {
  const { entity, stored } = props
  const sections = sectionsOf(entity, stored.row)
  const shown = (isSide: boolean) =>
    sections
      .filter((section) => section.isSide === isSide && section.fields.length > 0)
      .map((section) => <SectionValues key={section.title} section={section} {...props} />)
  return (
    <div class="record-body">
      <div class="stack">{shown(false)}</div>
      <div class="record-side stack">
        {shown(true)}
        <OwnValues {...props} />
        {props.children}
      </div>
    </div>
  )
}

function SectionValues({ section, ...props }: RowValuesProps & { section: Section }) {
  const { title, fields, isSide } = section
  const { row } = props.stored
  return (
    <section class="stack record-section" aria-label={title ?? text.record.details}>
      <SectionFrame section={section}>
        <dl class={isSide ? 'facts' : 'pairs'}>
          {fields
            .filter(({ kind }) => kind !== 'many')
            .map((field) => (
              <Pair key={field.name} field={field} {...props} />
            ))}
        </dl>
        {fields
          .filter(({ kind }) => kind === 'many')
          .map((field) => (
            <Lines key={field.name} field={field} value={row[field.name]} />
          ))}
      </SectionFrame>
    </section>
  )
}

/** The times of creation and change, and the id, which programs need. */
function OwnValues({ entity, stored: { row } }: RowValuesProps) {
  return (
    <section class="record-section" aria-label={text.record.own}>
      <dl class="facts">
        {ownFields(entity).map((field) => (
          <div class="pair" key={field.name}>
            <dt>{text.record.times[field.name] ?? labelOf(field)}</dt>
            <dd>
              <Value field={field} value={row[field.name]} />
            </dd>
          </div>
        ))}
        <div class="pair">
          <dt>{text.record.id}</dt>
          <dd>
            <code class="truncate">{row.id}</code>
            <span class="pair-tools">
              <CopyIcon value={row.id} label={text.record.id} />
            </span>
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Pair({ field, entity, stored, onChanged }: RowValuesProps & { field: FieldDescription }) {
  const [isEdited, setEdited] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  useEffect(() => {
    if (wasEdited.current && !isEdited) pencil.current?.focus()
    wasEdited.current = isEdited
  }, [isEdited])
  const value = stored.row[field.name]
  const mayEdit = onChanged !== undefined && isEditable(entity, field)
  const label = labelOf(field)
  const edit = () => mayEdit && setEdited(true)
  const name = ['pair', isLong(field) && 'is-long', mayEdit && 'is-editable'].filter(Boolean).join(' ')
  if (isEdited && onChanged !== undefined)
    return (
      <FieldEditor
        field={field}
        entity={entity}
        stored={stored}
        onSaved={onChanged}
        onClose={() => setEdited(false)}
      />
    )
  return (
    <div class={name}>
      <dt>{label}</dt>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the pencil does the same for the keyboard */}
      <dd onClick={(event) => isPlainClick(event) && edit()}>
        <Value
          field={field}
          value={value}
          entity={entity}
          file={field.relation === null ? null : stored.row[field.relation]}
        />
        <span class="pair-tools">
          {mayCopy(field, value) && <CopyIcon value={copyText(value)} label={label} />}
          {mayEdit && (
            <button
              type="button"
              class="plain only-icon"
              ref={pencil}
              data-edit
              aria-label={text.record.edit(label)}
              onClick={edit}
            >
              <Icon node={Pencil} />
            </button>
          )}
        </span>
      </dd>
    </div>
  )
}

function isEditable({ operations }: EntityDescription, field: FieldDescription): boolean {
  const { isReadOnly, isFixed, kind } = field
  return operations.change?.method === 'PATCH' && !isReadOnly && isFixed !== true && kind !== 'many'
}

/** Whether a click starts editing. It does not if the user selects text, or clicks a link or a button. */
function isPlainClick({ target }: MouseEvent): boolean {
  if (target instanceof Element && target.closest('a, button') !== null) return false
  return getSelection()?.isCollapsed !== false
}

/** Whether a button to copy is shown. A reference has none, because its value is a link with a title. */
function mayCopy({ kind }: FieldDescription, value: unknown): boolean {
  return kind !== 'boolean' && kind !== 'reference' && value !== null && value !== undefined && value !== ''
}

function copyText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function CopyIcon({ value, label }: { value: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <button
      type="button"
      class="plain only-icon"
      aria-label={isCopied ? text.action.copied : text.record.copy(label)}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
      onPointerLeave={() => setCopied(false)}
    >
      <Icon node={isCopied ? Check : Copy} />
    </button>
  )
}

function Lines({ field, value }: { field: FieldDescription; value: unknown }) {
  const lines = Array.isArray(value) ? (value as Values[]) : [] // the rows of the list
  const fields = field.fields ?? []
  const heading = labelOf(field)
  return (
    <div class="stack record-section">
      <h2>
        {heading} <span class="soft">{lines.length}</span>
      </h2>
      {lines.length > 0 && (
        <ScrollingTable label={heading} isLoading={false}>
          <thead>
            <tr>
              {fields.map((each) => (
                <th scope="col" key={each.name} class={isNumber(each) ? 'number' : undefined}>
                  {labelOf(each)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={index}>
                {fields.map((each) => (
                  <td key={each.name} class={isNumber(each) ? 'number' : undefined}>
                    <Value field={each} value={line[each.name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </ScrollingTable>
      )}
    </div>
  )
}
