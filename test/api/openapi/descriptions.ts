/** Elements of the document with a description, and those without. */
import { type OpenApi, operationsOf } from '../../support/http/openapi-document.ts'

export interface Descriptions {
  described: number
  /** Where a description is missing. */
  bare: string[]
}

interface Schema {
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  [keyword: string]: unknown
}

export function descriptionsOf(document: OpenApi): Descriptions {
  const found: Descriptions = { described: 0, bare: [] }
  const judge = (place: string, description: unknown): void => {
    if (typeof description === 'string' && description.trim() !== '') found.described++
    else found.bare.push(place)
  }
  const schemas = document.components.schemas as Record<string, Schema>
  /** A reference is described by what it refers to, unless it has a description of its own. */
  const textOf = ({ $ref, description }: Schema) =>
    description ?? schemas[$ref?.split('/').at(-1) ?? '']?.description
  const visit = (place: string, part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [name, member] of Object.entries((part as Schema).properties ?? {})) {
      judge(`${place}.${name}`, textOf(member))
    }
    for (const [name, inner] of Object.entries(part)) {
      if (!/^(example|examples|enum|const)$/.test(name)) visit(`${place}.${name}`, inner)
    }
  }
  for (const [name, schema] of Object.entries(schemas)) judge(name, schema.description)
  for (const [place, operation] of operationsOf(document)) judge(place, operation.description)
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [part, operation] of Object.entries(item)) {
      const parameters = part === 'parameters' ? (operation as unknown) : operation.parameters
      for (const { name, description } of parameters as { name?: string; description?: string }[]) {
        if (name !== undefined) judge(`${part} ${path} ${name}`, description)
      }
    }
  }
  visit('document', document)
  return found
}
