/** The parameters of a GraphQL request, from its body or its query (GraphQL over HTTP, section 5). */
import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { refusal, ServiceError } from '../../../core/errors.ts'
import { parseExactJson } from '../../../core/schema/exact-json.ts'
import { Nullable } from '../../../core/schema/schema.ts'
import type { RequestedDocument } from '../document/persisted.ts'
import type { Variables } from '../document/variables.ts'

export const openObject = Type.Object({}, { additionalProperties: true })

/** Above the limit of documents in characters, so that a long document gets its GraphQL error. */
const maxDocumentLength = 1024 * 1024
const maxNameLength = 1000
const maxDocumentIdLength = 100
/** The limit of text in an address; the limit of headers is lower. */
const maxJsonLength = 100_000

const exampleDocument = 'query Products { products { id name price } }'
const exampleId = hash('sha256', exampleDocument)

const documentText = Type.Optional(
  Type.String({ maxLength: maxDocumentLength, description: 'The document', examples: [exampleDocument] }),
)
const documentHash = Type.String({
  maxLength: maxDocumentIdLength,
  description: 'The SHA-256 of a known document, instead of `query`',
  examples: [exampleId],
})
const nameOfOperation = Type.String({
  maxLength: maxNameLength,
  description: 'The name of the operation; optional for a single one',
  examples: ['Products'],
})

export const GraphQLRequest = Type.Object(
  {
    query: documentText,
    documentId: Type.Optional(Nullable(documentHash)),
    operationName: Type.Optional(Nullable(nameOfOperation)),
    variables: Type.Optional(
      Nullable({
        ...openObject,
        description: 'The values of the operation’s variables, by name',
        examples: [{}],
      }),
    ),
    extensions: Type.Optional(
      Nullable({ ...openObject, description: '`persistedQuery` of persisted operations', examples: [{}] }),
    ),
  },
  {
    $id: 'GraphQLRequest',
    description: 'A request of GraphQL over HTTP.',
    examples: [{ query: exampleDocument, variables: {} }],
  },
)

const jsonText = Type.String({
  maxLength: maxJsonLength,
  description: 'A JSON object',
  examples: ['{}'],
})

export const GraphQLQuery = Type.Object({
  query: documentText,
  documentId: Type.Optional(documentHash),
  operationName: Type.Optional(nameOfOperation),
  variables: Type.Optional(jsonText),
  extensions: Type.Optional(jsonText),
})

export interface RequestParameters extends RequestedDocument {
  operationName: string | null
  variables: Variables
}

export function fromBody(body: Static<typeof GraphQLRequest>): RequestParameters {
  const { query = null, documentId = null, operationName = null, variables, extensions } = body
  return {
    query,
    documentId,
    operationName,
    variables: (variables ?? {}) as Variables, // the schema admits JSON objects only
    extensions: (extensions ?? {}) as Variables, // the schema admits JSON objects only
  }
}

/** @throws ServiceError `invalid` for text that is not a JSON object */
export function fromQuery(given: Static<typeof GraphQLQuery>): RequestParameters {
  const { query = null, documentId = null, operationName = null, variables, extensions } = given
  return {
    query,
    documentId,
    operationName,
    variables: parseObject('variables', variables),
    extensions: parseObject('extensions', extensions),
  }
}

function parseObject(name: string, text: string | undefined): Variables {
  if (text === undefined || text === '') return {}
  try {
    const value = parseExactJson(text)
    if (value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Variables // a JSON object
  } catch (error) {
    if (error instanceof ServiceError) throw error
    // reported below, like other text that is not an object
  }
  throw refusal('noJsonObject', { name })
}
