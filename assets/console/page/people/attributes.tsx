/** Shows the attributes that the application declares for users, as text or as fields of a form. */
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Choices } from '../../component/choices.tsx'
import { Field } from '../../component/field.tsx'
import { Values } from '../../component/values.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Attribute, Attributes, AttributeValue } from './types.ts'

const texts = text.administration.users

export function useAttributes(): readonly Attribute[] {
  const { can } = useApp()
  const isListed = can('user:read')
  const { data } = useLoaded(`attributes ${isListed}`, (signal) =>
    isListed ? get<Attribute[]>('/api/user-attributes', { signal }) : Promise.resolve([]),
  )
  return data ?? []
}

/** @returns the attributes that can be set for a new key or an invitation: none without `user:write` */
export function useGivenAttributes(): readonly Attribute[] {
  const { can } = useApp()
  const attributes = useAttributes()
  return can('user:write') ? attributes : []
}

/** @returns the attributes in one line, for a cell of a table */
export function attributeText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}: ${shownValue(value)}`)
    .join('; ')
}

function shownValue(value: AttributeValue): string {
  if (typeof value === 'boolean') return value ? text.state.yes : text.state.no
  return typeof value === 'string' ? value : value.join(', ')
}

/** The attributes for readers who may not change them. */
export function AttributeList({ attributes }: { attributes: Attributes }) {
  const given = Object.entries(attributes)
  if (given.length === 0) return null
  return (
    <section class="card stack">
      <h2>{texts.attributes}</h2>
      <Values values={given.map(([name, value]) => [name, shownValue(value)])} />
    </section>
  )
}

interface AttributeFieldsProps {
  attributes: readonly Attribute[]
  values: Attributes
  faultOf: (member: string) => string | null
  onChange: (values: Attributes) => void
}

export function AttributeFields({ attributes, values, faultOf, onChange }: AttributeFieldsProps) {
  if (attributes.length === 0) return null
  return (
    <fieldset class="stack">
      <legend class="label">{texts.attributes}</legend>
      {attributes.map((attribute) => (
        <AttributeField
          key={attribute.name}
          attribute={attribute}
          value={values[attribute.name]}
          fault={faultOf(`attributes/${attribute.name}`)}
          onChange={(value) => onChange({ ...values, [attribute.name]: value })}
        />
      ))}
    </fieldset>
  )
}

interface AttributeFieldProps {
  attribute: Attribute
  value: AttributeValue | undefined
  fault: string | null
  onChange: (value: AttributeValue) => void
}

function AttributeField({ attribute, value, fault, onChange }: AttributeFieldProps) {
  const { name, kind, values, description } = attribute
  if (kind === 'list' && values !== null)
    return (
      <Choices label={name} names={values} chosen={Array.isArray(value) ? value : []} onChange={onChange} />
    )
  const hint = kind === 'list' ? [description, texts.onePerLine].filter(Boolean).join(' ') : description
  return (
    <Field label={name} hint={hint} fault={fault}>
      {(control) => {
        if (kind === 'list') {
          const lines = Array.isArray(value) ? value.join('\n') : ''
          return (
            <textarea
              {...control}
              rows={3}
              value={lines}
              onInput={(event) => onChange(event.currentTarget.value.split('\n'))}
            />
          )
        }
        if (kind === 'text')
          return (
            <input
              {...control}
              type="text"
              autocomplete="off"
              value={typeof value === 'string' ? value : ''}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          )
        return (
          <select
            {...control}
            value={value === undefined ? '' : String(value)}
            onChange={(event) => onChange(chosenOf(kind, event.currentTarget.value))}
          >
            <option value="">–</option>
            {(values ?? ['true', 'false']).map((each) => (
              <option key={each} value={each}>
                {kind === 'boolean' ? shownValue(each === 'true') : each}
              </option>
            ))}
          </select>
        )
      }}
    </Field>
  )
}

function chosenOf(kind: Attribute['kind'], chosen: string): AttributeValue {
  return kind === 'boolean' && chosen !== '' ? chosen === 'true' : chosen
}
