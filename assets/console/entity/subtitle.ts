/** Makes the line below the title of a row from a template with members of the row, and of rows to which it refers. */
import { type EntityDescription, type Row, titleOf } from '../describe.ts'
import { plainText } from './plain-text.ts'
import { loadRow } from './rows.ts'

const separator = ' · '

/** @returns '' without a template; parts with members without a value are left out */
export async function subtitleOf(
  entity: EntityDescription,
  row: Row,
  entities: readonly EntityDescription[],
): Promise<string> {
  const parts = (entity.console?.subtitle ?? '').split(separator)
  const filled = await Promise.all(parts.map((part) => fill(part, entity, row, entities)))
  return filled.filter((part) => part !== '').join(separator)
}

async function fill(
  part: string,
  entity: EntityDescription,
  row: Row,
  entities: readonly EntityDescription[],
): Promise<string> {
  const names = [...part.matchAll(/\{([\w.]+)\}/g)].map(([, name = '']) => name)
  const values = await Promise.all(names.map((name) => valueAt(name.split('.'), entity, row, entities)))
  if (values.includes('')) return ''
  let index = 0
  return part.replaceAll(/\{[\w.]+\}/g, () => values[index++] ?? '')
}

async function valueAt(
  [name = '', member]: readonly string[],
  entity: EntityDescription,
  row: Row,
  entities: readonly EntityDescription[],
): Promise<string> {
  const field = entity.fields.find((each) => each.name === name || each.relation === name)
  const value = field && row[field.name]
  if (field === undefined || value === null || value === undefined || value === '') return ''
  if (field.kind !== 'reference') return plainText(field, value)
  const other = entities.find((each) => each.name === field.entity)
  const named = other === undefined ? null : await loadRow(other, String(value))
  if (other === undefined || named === null) return ''
  const inner = other.fields.find((each) => each.name === member)
  return inner === undefined ? titleOf(other, named) : plainText(inner, named[inner.name])
}
