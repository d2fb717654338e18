/** Shows a JSON Schema as a list of members, which the reader opens level by level. */
import { resolve } from './document.js'
import { element } from './dom.js'
import { inline } from './prose.js'

/** @typedef {import('./document.js').Json} Json */

/**
 * @param {Json} document
 * @param {Json} schema
 * @returns {HTMLElement}
 */
export function describeSchema(document, schema) {
  const shape = innerShape(document, schema)
  const members = Object.entries(shape['properties'] ?? {})
  if (members.length === 0) return element('p', {}, ...facts(document, schema))
  const required = new Set(shape['required'] ?? [])
  const list = members.map(([name, member]) => describeMember(document, name, member, required.has(name)))
  return element(
    'div',
    {},
    element('p', {}, ...facts(document, schema)),
    element('ul', { class: 'members' }, ...list),
  )
}

/**
 * @param {Json} document
 * @param {string} name
 * @param {Json} schema
 * @param {boolean} isRequired
 */
function describeMember(document, name, schema, isRequired) {
  const line = [element('code', {}, name), isRequired ? ' ' : ' (optional) ', ...facts(document, schema)]
  if (innerShape(document, schema)['properties'] === undefined) return element('li', {}, ...line)
  const details = element('details', {}, element('summary', {}, ...line))
  // The members are added when opened, because a schema may contain itself.
  details.addEventListener('toggle', () => details.append(describeSchema(document, schema)), { once: true })
  return element('li', {}, details)
}

/**
 * Type, limits and description in one line.
 * @param {Json} document
 * @param {Json} schema
 * @returns {(Node | string)[]}
 */
function facts(document, schema) {
  const resolved = resolve(document, schema)
  const limits = limitNames.filter((limit) => limit in resolved)
  const parts = [
    typeName(document, schema),
    ...limits.map((limit) => `${limit} ${JSON.stringify(resolved[limit])}`),
  ]
  const about = resolved['description'] === undefined ? [] : [': ', ...inline(resolved['description'])]
  return [element('small', {}, parts.join(', ')), ...about]
}

const limitNames = [
  'enum',
  'default',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]

/**
 * @param {Json} document
 * @param {Json} schema
 * @returns {string}
 */
function typeName(document, schema) {
  const name = schema['$ref']?.split('/').at(-1)
  if (name !== undefined) return name
  if (schema['type'] === 'array' && schema['items']) return `array of ${typeName(document, schema['items'])}`
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (choices !== undefined)
    return choices.map((/** @type {Json} */ each) => typeName(document, each)).join(' or ')
  const type = [schema['type'] ?? 'any'].flat().join(' or ')
  return schema['format'] === undefined ? type : `${type} (${schema['format']})`
}

/**
 * Returns the object schema: the schema itself, or the innermost items of an array.
 * @param {Json} document
 * @param {Json} schema
 * @returns {Json}
 */
function innerShape(document, schema) {
  const resolved = resolve(document, schema)
  return resolved['items'] === undefined ? resolved : innerShape(document, resolved['items'])
}
