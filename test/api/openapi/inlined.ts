import type { OpenApi } from '../../support/http/openapi-document.ts'

/** The value, with its references replaced by what they refer to. */
export function inlined<T>(document: OpenApi, value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, part) => {
    const target = part?.$ref
    return typeof target === 'string' ? inlined(document, referenced(document, target)) : part
  })
}

/** @param reference e.g. `#/components/schemas/Product` */
function referenced(document: OpenApi, reference: string): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce((place: unknown, name) => (place as Record<string, unknown>)[name], document)
}
