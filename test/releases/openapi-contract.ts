/** What `openapi.json` promises to clients, and what it demands of them, a line each. */
import type { ContractLine } from './contract-line.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  [limit: string]: unknown
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
}

export interface OpenApiText {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

const limits = ['maxLength', 'maximum', 'maxItems', 'minLength', 'minimum', 'minItems', 'pattern']

export function openApiContract(document: OpenApiText): ContractLine[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method]
      const name = `${method.toUpperCase()} ${path}`
      if (operation === undefined) return []
      const promised = [name, ...answerLines(name, operation, document)]
      return [...promised.map(promise), ...requestLines(name, operation, document)]
    }),
  )
}

function promise(text: string): ContractLine {
  return { kind: 'promise', text }
}

/** Of answers without an error. */
function answerLines(name: string, { responses }: Operation, document: OpenApiText): string[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return answers.flatMap(([status, answer]) => [
    `${name} answers ${status}`,
    ...schemasOf(answer).flatMap((schema) => memberLines(`${name} ${status}`, schema, document, [])),
  ])
}

function requestLines(name: string, operation: Operation, document: OpenApiText): ContractLine[] {
  const lines: ContractLine[] = []
  for (const { name: parameter, in: place, required = false, schema = {} } of operation.parameters ?? []) {
    const of = `${name} ${place} ${parameter}`
    lines.push({ kind: 'promise', text: `${of} accepts ${typeText(schema, document)}` })
    if (required) lines.push({ kind: 'demand', of: name, text: `${of} is required` })
  }
  for (const schema of schemasOf(operation.requestBody ?? {}))
    lines.push(...bodyLines(`${name} body`, schema, document, []))
  return lines
}

/** Each member that a request may have, the limits of its value, and whether it must be there. */
function bodyLines(
  path: string,
  schema: Schema,
  document: OpenApiText,
  seen: readonly string[],
): ContractLine[] {
  const of = `${path} accepts`
  const [target, inside] = resolve(schema, document, seen)
  if (target === null) return []
  const lines: ContractLine[] = [{ kind: 'promise', text: `${of} ${typeText(target, document)}` }]
  for (const limit of limits) {
    const value = target[limit]
    if (value !== undefined) lines.push({ kind: 'demand', of, text: `${path} ${limit} ${value}` })
  }
  for (const [member, value] of Object.entries(target.properties ?? {})) {
    lines.push(...bodyLines(`${path}.${member}`, value, document, inside))
    if (target.required?.includes(member) === true)
      lines.push({ kind: 'demand', of, text: `${path}.${member} is required` })
  }
  if (target.items !== undefined) lines.push(...bodyLines(`${path}[]`, target.items, document, inside))
  for (const part of target.allOf ?? []) lines.push(...bodyLines(path, part, document, inside))
  return lines
}

/** Each member of an answer, with its type. */
function memberLines(path: string, schema: Schema, document: OpenApiText, seen: readonly string[]): string[] {
  const [target, inside] = resolve(schema, document, seen)
  if (target === null) return []
  const lines = [`${path}: ${typeText(target, document)}`]
  for (const [member, value] of Object.entries(target.properties ?? {})) {
    const isThere = target.required?.includes(member) === true
    lines.push(...memberLines(`${path}.${member}${isThere ? '' : '?'}`, value, document, inside))
  }
  if (target.items !== undefined) lines.push(...memberLines(`${path}[]`, target.items, document, inside))
  for (const part of target.allOf ?? []) lines.push(...memberLines(path, part, document, inside))
  return lines
}

/** @returns `null` for a schema within itself */
function resolve(
  schema: Schema,
  document: OpenApiText,
  seen: readonly string[],
): [target: Schema | null, seen: readonly string[]] {
  const { $ref } = schema
  if ($ref === undefined) return [schema, seen]
  if (seen.includes($ref)) return [null, seen]
  return resolve(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, document, [...seen, $ref])
}

function typeText(schema: Schema, document: OpenApiText): string {
  const [target] = resolve(schema, document, [])
  if (target === null) return 'itself'
  const choices = target.anyOf ?? target.oneOf
  if (choices !== undefined)
    return choices
      .map((choice) => typeText(choice, document))
      .toSorted()
      .join(' | ')
  if (target.const !== undefined) return JSON.stringify(target.const)
  if (target.enum !== undefined)
    return target.enum
      .map((value) => JSON.stringify(value))
      .toSorted()
      .join(' | ')
  const type = [target.type ?? 'anything'].flat().toSorted().join(' | ')
  return target.format === undefined ? type : `${type} (${target.format})`
}

function schemasOf({ content = {} }: Content): Schema[] {
  return Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schema]))
}
