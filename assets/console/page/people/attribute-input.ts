/** Turns the attributes of a form into members of a request. */
import type { Attributes, AttributeValue } from './types.ts'

/** @returns the attributes of a change: an empty one is `null`, which removes it */
export function attributeInput(values: Attributes): Record<string, AttributeValue | null> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inputOf(value)]))
}

/** @returns the member `attributes` for a creation, without empty ones; no member if none is left */
export function givenAttributes(values: Attributes): { attributes?: Record<string, AttributeValue> } {
  const given = Object.entries(attributeInput(values)).filter(
    (each): each is [string, AttributeValue] => each[1] !== null && each[1].toString() !== '',
  )
  return given.length === 0 ? {} : { attributes: Object.fromEntries(given) }
}

function inputOf(value: AttributeValue): AttributeValue | null {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  return value.map((each) => each.trim()).filter((each) => each !== '')
}
