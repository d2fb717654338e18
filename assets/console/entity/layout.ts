/** Arranges the fields of a row in sections, the same for reading and for editing. */
import { allFields, type EntityDescription, type FieldDescription, type Values } from '../describe.ts'
import { meets } from './condition.ts'

export interface Section {
  /** `null` for the section without a heading. */
  title: string | null
  description: string | null
  fields: readonly FieldDescription[]
  /** Whether it is shown in the column at the side. */
  isSide: boolean
  /** Whether it is closed at first. */
  isFolded: boolean
}

const shortText = 200

/** Whether the field is a web address, which is long but has one line. */
export function isAddress({ kind, name, widget }: FieldDescription): boolean {
  return kind === 'text' && (widget?.kind === 'url' || (widget === undefined && /ur[il]$/i.test(name)))
}

/** Whether the field needs the whole width. */
export function isLong(field: FieldDescription): boolean {
  const { kind, schema, entity, widget } = field
  if (kind === 'json' || kind === 'many' || entity === 'file') return true
  if (kind !== 'text' || isAddress(field)) return false
  return (schema.maxLength ?? 0) > shortText || ['multiline', 'markdown', 'code'].includes(widget?.kind ?? '')
}

/**
 * @returns the sections of the entity's definition for this row, and one for all other fields, with the short ones
 *   first
 */
export function sectionsOf(entity: EntityDescription, row: Values): Section[] {
  const { fields, console: hints } = entity
  const byName = new Map<string, FieldDescription>(
    fields.flatMap((field) => [[field.relation ?? field.name, field] as const, [field.name, field] as const]),
  )
  const hinted = (hints?.sections ?? []).map((section) => ({
    title: section.title,
    description: section.description ?? null,
    isSide: section.side === true,
    isFolded: section.folded === true,
    isShown: meets(row, section.if ?? {}, new Date()),
    fields: section.fields.flatMap((name) => byName.get(name) ?? []),
  }))
  const placed = new Set(hinted.flatMap((section) => section.fields))
  const others = fields.filter((field) => !placed.has(field))
  const rest: Section = {
    title: null,
    description: null,
    isSide: false,
    isFolded: false,
    fields: [...others.filter((field) => !isLong(field)), ...others.filter(isLong)],
  }
  return [
    ...(hinted.length === 0 ? [rest] : hinted.filter(({ isShown }) => isShown)),
    ...(hinted.length > 0 && others.length > 0 ? [rest] : []),
  ]
}

/** @returns the fields that the service sets for every row, such as the time of its creation */
export function ownFields(entity: EntityDescription): FieldDescription[] {
  return allFields(entity).slice(entity.fields.length)
}
