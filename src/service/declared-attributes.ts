/** The attributes of users and API keys that an application declares, and a check that rules name no others. */
import type { TSchema } from 'typebox'
import {
  type AttributeKind,
  type AttributeType,
  attributeNamePattern,
  DeclaredAttributes,
  maxAttributes,
} from '../core/attributes.ts'
import { ApplicationError } from '../core/feature/application-error.ts'
import type { Feature } from '../core/feature/feature.ts'
import { conditionsOf, type RowCondition } from '../database/row-rule.ts'
import { Field, type Fields } from '../entity/field.ts'

/** The attributes by name: `{ region: text(), departments: listOf(text()) }`. */
export type AttributeFields = Fields

/** @throws ApplicationError for a name or a field that no attribute can have */
export function declaredAttributes(fields: AttributeFields = {}): DeclaredAttributes {
  const entries = Object.entries(fields)
  if (entries.length > maxAttributes)
    throw new ApplicationError(`attributes: there are more than ${maxAttributes}.`)
  return new DeclaredAttributes(new Map(entries.map(([name, field]) => [name, typeOf(name, field)])))
}

function typeOf(name: string, field: unknown): AttributeType {
  if (!attributeNamePattern.test(name))
    throw new ApplicationError(
      `attributes.${name} must be named by at most 50 letters and digits, in camel case.`,
    )
  const kind = field instanceof Field ? kindOf(field) : null
  if (kind === null || !(field instanceof Field))
    throw new ApplicationError(
      `attributes.${name} must be text(), oneOf(…), boolean(), or listOf(…) of texts.`,
    )
  const { schema, presence, fallback, description = null } = field.spec
  if (presence === 'readOnly' || presence === 'computed' || (fallback?.value ?? null) !== null)
    throw new ApplicationError(
      `attributes.${name} has no default and is not read-only: it is absent until it is set.`,
    )
  const { enum: words, items } = schema as { enum?: string[]; items?: { enum?: string[] } } // a JSON Schema
  return { kind, schema, description, values: words ?? items?.enum ?? null }
}

/** @returns `null` for what no attribute can be */
function kindOf({
  spec: { kind, schema },
}: {
  spec: { kind: string; schema: TSchema }
}): AttributeKind | null {
  if (kind === 'text' || kind === 'boolean') return kind
  if (kind === 'enum') return 'oneOf'
  const { type, items } = schema as { type?: unknown; items?: { type?: unknown; format?: unknown } } // a JSON Schema
  const isOfTexts = items?.type === 'string' && items.format === undefined
  return kind === 'json' && type === 'array' && isOfTexts ? 'list' : null
}

/** @throws ApplicationError for a rule that names an attribute that is not declared, or is of another kind */
export function requireAttributes(features: readonly Feature[], declared: DeclaredAttributes): void {
  for (const { name, rowRules } of features) {
    for (const rules of rowRules?.().values() ?? [])
      for (const condition of conditionsOf(rules)) requireIn(condition, name, declared)
  }
}

function requireIn(condition: RowCondition, place: string, declared: DeclaredAttributes): void {
  if (condition.kind === 'any' || condition.kind === 'all')
    for (const part of condition.parts) requireIn(part, place, declared)
  else if (condition.kind === 'referred') requireIn(condition.condition, place, declared)
  else if ((condition.kind === 'value' || condition.kind === 'caller') && condition.attribute !== undefined)
    requireOne(condition.attribute, { place, declared, isBoolean: condition.kind === 'caller' })
}

function requireOne(
  attribute: string,
  { place, declared, isBoolean }: { place: string; declared: DeclaredAttributes; isBoolean: boolean },
): void {
  const found = declared.find(attribute)
  const fault = (text: string) => new ApplicationError(`${place}: in its rules of rows, ${text}.`)
  if (found === null) throw fault(`there is no attribute ${attribute}${declared.suggestionFor(attribute)}`)
  if (isBoolean && found.kind !== 'boolean')
    throw fault(
      `actor.has('${attribute}'): the attribute is no boolean; compare its values with actor.claims`,
    )
  if (!isBoolean && found.kind === 'boolean')
    throw fault(`actor.claims('${attribute}'): the attribute is a boolean; ask for it with actor.has`)
}
