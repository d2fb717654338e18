/** Widgets, and the kinds of fields that they show. */
import { type WidgetHint, type WidgetKind, widgetKinds } from '../../core/feature/console-hints.ts'
import { notKnown } from '../../core/names.ts'
import type { FieldSpec } from '../field.ts'
import type { NamedField, NamedFields } from './named-fields.ts'
import type { WidgetOption } from './options.ts'

const text = ['text'] as const
const numbers = ['integer', 'money'] as const

const shown: Record<WidgetKind, readonly FieldSpec['kind'][]> = {
  multiline: text,
  markdown: text,
  email: text,
  url: text,
  phone: text,
  color: text,
  secret: text,
  code: ['text', 'json'],
  json: ['json'],
  chips: ['json'],
  segments: ['enum'],
  switch: ['boolean'],
  money: numbers,
  percent: numbers,
  bytes: numbers,
  duration: numbers,
}

/** @throws Error for a widget that there is not, or that does not show the field */
export function widgetOf(
  fields: NamedFields,
  place: string,
  { field, widget }: { field: NamedField; widget: WidgetOption | undefined },
): WidgetHint {
  const currency = typeof widget === 'object' ? widget.currency : undefined
  const kind = typeof widget === 'object' ? 'money' : widget
  fields.oneOf(place, kind, widgetKinds, 'no widget')
  const known = kind as WidgetKind // checked above
  if (!shown[known].includes(field.kind))
    fields.refuse(place, `${known} shows ${shown[known].join(' or ')}, and the field is ${field.kind}`)
  if (known === 'chips' && (field.spec.schema as { type?: unknown }).type !== 'array')
    // a JSON Schema
    fields.refuse(place, 'chips shows lists of values')
  if (currency === undefined) return { kind: known }
  const currencies = Intl.supportedValuesOf('currency')
  if (!currencies.includes(currency)) fields.refuse(place, notKnown(currency, 'no currency', currencies))
  return { kind: known, currency }
}
